// DAILY_BYTE_LIMIT: what cards, changes and interactions of an owner's channels add in a UTC day. It is exact even for
// parallel requests on several instances.
import { beforeEach, expect, test } from 'vitest'
import { type Account, accountAt, createAccount, createTestKey, withKey } from '../support/account.ts'
import { textCard } from '../support/cards.ts'
import { ask } from '../support/decisions.ts'
import { failed } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene, type Scene, sceneAt } from '../support/scene.ts'
import { create } from '../support/service.ts'
import { times } from '../support/times.ts'

const NOON = Date.parse('2026-03-10T12:00:00.000Z')
const LIMIT = 20_000
let clock = NOON
const env = { DAILY_BYTE_LIMIT: String(LIMIT), ACT_LIMIT: '0' }
const now = () => clock
const service = await runService(env, { now })
const other = await runService(env, { now, database: service.database })

let ann: Account
let scene: Scene
let cards: string
beforeEach(async () => {
  clock = NOON
  ann = await createAccount(service)
  scene = await buildScene(service, { account: ann })
  cards = `/channels/${scene.channel_id}/cards`
})

const used = async (account = ann, at = service) => {
  const { body } = await accountAt(at, account).session<{ bytes: { used: number; limit: number } }>(
    'GET',
    '/usage',
  )
  expect(body.bytes.limit).toBe(LIMIT)
  return body.bytes.used
}
/** Uses the day up, but for so many bytes. */
const leave = (bytes: number) => service.sql`
  update daily_usage set bytes = ${LIMIT - bytes} where user_id = ${ann.user_id}`
const reached = failed(429, 'Daily byte limit reached')
const card = (size: number) => textCard('x'.repeat(size))
const statuses = (answers: { status: number }[]) => answers.map(({ status }) => status).sort()

test('usage counts cards, changes and interactions, and starts anew at midnight', async () => {
  const before = await used()
  const { id } = await create(ann.key, cards, card(1_000))
  const after_card = await used()
  expect(after_card - before).toBeGreaterThan(1_000)
  expect(after_card - before).toBeLessThan(1_200)
  await ann.key('PATCH', `${cards}/${id}`, { blocks: [{ id: 'text', patch: { content: 'y'.repeat(500) } }] })
  const after_patch = await used()
  expect(after_patch - after_card).toBeGreaterThan(500)
  expect(after_patch - after_card).toBeLessThan(700)
  await scene.reply('z'.repeat(300))
  const after_reply = await used(ann, other)
  expect(after_reply - after_patch).toBeGreaterThan(300)
  expect(after_reply - after_patch).toBeLessThan(400)
  await ann.key('DELETE', `${cards}/${id}`)
  expect(await used()).toBe(after_reply)
  clock += 12 * 3_600_000
  expect(await used()).toBe(0)
})

test('a press counts the copy of its card once, and then only what was entered', async () => {
  const before = await used()
  await scene.click()
  const first = await used()
  expect(first - before).toBeGreaterThan(500)
  await scene.click({ values: { note: 'a note' } })
  expect((await used()) - first).toBeLessThan(100)
})

test('a decision counts its signature, and the copy of its card', async () => {
  const [first, second] = await times(2, () => ask(ann.key, scene.channel_id))
  const press = (card_id = '') =>
    scene.interact({ card_id, trigger: { type: 'button_click', button_id: 'yes' } })
  const before = await used()
  expect((await press(first?.card_id)).status).toBe(201)
  const { body } = await ann.key('GET', `${first?.path}/signed`)
  expect((await used()) - before).toBeGreaterThan(JSON.stringify(body).length)
  await leave(1_500)
  expect(await press(second?.card_id)).toMatchObject(reached)
})

test('beyond the limit, automations and viewers get 429 with Retry-After; removing works', async () => {
  const { id } = await create(ann.key, cards, textCard())
  await ann.key('PUT', `${cards}/by-key/known`, textCard())
  const asked = await ask(ann.key, scene.channel_id, { agents: true })
  await ann.session('PATCH', `/channels/${scene.channel_id}`, { receipts: 'on' })
  await leave(5)
  const agent = withKey(service.url, (await createTestKey(ann.session)).key)
  for (const at of [service, other]) {
    const { key } = accountAt(at, ann)
    const there = sceneAt(at, scene)
    const refused = [
      await key('POST', cards, textCard()),
      await key('PUT', `${cards}/by-key/new`, textCard()),
      await key('PUT', `${cards}/by-key/known`, textCard('changed')),
      await key('PATCH', `${cards}/${id}`, { status: 'error' }),
      await there.reply('hello'),
      await there.click(),
      await there.interact({ trigger: { type: 'header_action', action_id: scene.action_id } }),
      await there.interact({
        card_id: scene.card_id,
        trigger: { type: 'input_change', block_id: 'note', value: 'x' },
      }),
      await there.interact({ card_id: asked.card_id, trigger: { type: 'button_click', button_id: 'yes' } }),
    ]
    for (const answer of refused) {
      expect(answer).toMatchObject(reached)
      expect(answer.headers.get('Retry-After')).toBe('43200')
      expect(answer.headers.get('RateLimit')).toBeNull()
    }
  }
  expect(await agent('POST', asked.path, { button_id: 'yes' })).toMatchObject(reached)
  expect(await used()).toBe(LIMIT - 5)
  expect((await ann.key('PATCH', `/channels/${scene.channel_id}`, { receipts: 'off' })).status).toBe(200)
  expect((await ann.key('DELETE', asked.path)).status).toBe(200)
  expect((await ann.key('DELETE', `${cards}/${id}`)).status).toBe(204)
  clock += 12 * 3_600_000
  expect((await ann.key('POST', cards, textCard())).status).toBe(201)
  expect((await scene.click()).status).toBe(201)
})

test('a card larger than what is left is refused, a smaller one is accepted', async () => {
  await leave(2_000)
  expect(await ann.key('POST', cards, card(3_000))).toMatchObject(reached)
  expect((await ann.key('POST', cards, card(1_000))).status).toBe(201)
  expect(await ann.key('POST', cards, card(1_000))).toMatchObject(reached)
  const carol = await createAccount(service)
  const path = `/channels/${(await buildScene(service, { account: carol })).channel_id}/cards`
  expect((await carol.key('POST', path, card(9_000))).status).toBe(201)
})

test.each(['cards', 'replies', 'receipts'])(
  'parallel %s on two instances never exceed the limit',
  async what => {
    const scenes = [scene, await buildScene(service, { account: ann })]
    if (what === 'receipts')
      for (const { channel_id } of scenes)
        await ann.session('PATCH', `/channels/${channel_id}`, { receipts: 'on' })
    for (const one of scenes) await one.click()
    const before = await used()
    await leave(5_000)
    const send = (i: number) => {
      const at = i % 4 < 2 ? service : other
      const to = scenes[i % 2] ?? scene
      if (what === 'cards')
        return accountAt(at, ann).key('POST', `/channels/${to.channel_id}/cards`, card(400))
      const there = sceneAt(at, to)
      return what === 'replies' ? there.reply('r'.repeat(400)) : there.click({ values: { note: `${i}` } })
    }
    const answers = await times(60, send)
    const accepted = statuses(answers).filter(status => status === 201).length
    expect(statuses(answers).every(status => status === 201 || status === 429)).toBe(true)
    expect(accepted).toBeGreaterThan(5)
    if (what !== 'receipts') expect(accepted).toBeLessThan(60)
    const [row] = await service.sql<{ bytes: number }[]>`
    select bytes from daily_usage where user_id = ${ann.user_id}`
    expect(row?.bytes).toBeLessThanOrEqual(LIMIT)
    expect(row?.bytes).toBeGreaterThan(Math.min(before, LIMIT - 5_000))
  },
)

test('a lifted limit is null, and bytes are still counted', async () => {
  const lifted = await runService({ DAILY_BYTE_LIMIT: '0' }, { now, database: service.database })
  await leave(0)
  expect((await accountAt(lifted, ann).key('POST', cards, card(100))).status).toBe(201)
  const { body } = await accountAt(lifted, ann).session<{ bytes: object }>('GET', '/usage')
  expect(body.bytes).toEqual({ used: expect.toSatisfy(value => Number(value) > LIMIT), limit: null })
})

// What a press stores: the values that the viewer entered, and the card once per version.
import { randomBytes, randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { deleteOldInteractions } from '../../server/model/interactions.ts'
import { ask } from '../support/decisions.ts'
import { readLog, settledLog } from '../support/deliveries.ts'
import { insertInteraction } from '../support/interactions.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene, type LoggedInteraction, type Scene } from '../support/scene.ts'
import type { Answer } from '../support/service.ts'

const service = await runService({ ACT_LIMIT: '0' })
const receiver = await runReceiver()
let scene: Scene
beforeEach(() => {
  receiver.received.length = 0
})

/** Text that PostgreSQL can't compress. */
const noise = (bytes: number) => randomBytes(bytes / 2).toString('hex')

/** A press's ids, times and row headers take some hundred bytes more. */
const ROW_MAX = 1_000

const storedBytes = async () => {
  const [row] = await service.sql<{ bytes: number }[]>`
    select (select coalesce(sum(pg_column_size(i.*)), 0) from interactions i where channel_id = ${scene.channel_id})
      + (select coalesce(sum(pg_column_size(s.*)), 0) from stored_card_states s where channel_id = ${scene.channel_id})
      as bytes`
  return Number(row?.bytes)
}

/** Sends each body, and expects at most twice their bytes beside one copy of the card. */
async function expectSmall(card_bytes: number, bodies: object[]): Promise<void> {
  const before = await storedBytes()
  for (const body of bodies) expect(await scene.interact(body)).toMatchObject({ status: 201 })
  const sent = bodies.reduce((sum, body) => sum + Buffer.byteLength(JSON.stringify(body)), 0)
  expect((await storedBytes()) - before).toBeLessThan(card_bytes + 2 * sent + bodies.length * ROW_MAX)
}

test.each(['click', 'input_change'])(
  '20 presses (%s) with other values store a large card once',
  async type => {
    const texts = Array.from({ length: 16 }, (_, i) => ({
      type: 'text',
      id: `t${i}`,
      content: noise(10_000),
    }))
    const note = { type: 'input', id: 'note', label: 'Note', send_on_change: true }
    const buttons = { type: 'button', buttons: [{ id: 'go', label: noise(10_000) }] }
    scene = await buildScene(service, { blocks: [...texts, note, buttons] })
    const { card_id } = scene
    const bodies = Array.from({ length: 20 }, (_, i) =>
      type === 'click'
        ? { card_id, trigger: { type: 'button_click', button_id: 'go' }, values: { note: `${i}` } }
        : { card_id, trigger: { type, block_id: 'note', value: noise(2_000) } },
    )
    await expectSmall(175_000, bodies)
  },
)

test('values that the card has itself are not stored again', async () => {
  const note = { type: 'input', id: 'note', label: 'Note', value: noise(10_000) }
  const go = { type: 'button', buttons: [{ id: 'go', label: 'Go' }] }
  scene = await buildScene(service, { blocks: [note, go] })
  const trigger = { type: 'button_click', button_id: 'go' }
  const bodies = Array.from({ length: 5 }, () => ({ card_id: scene.card_id, trigger }))
  await expectSmall(11_000, bodies)
  await expectSmall(0, [{ card_id: scene.card_id, trigger, values: { note: note.value } }])
})

const IDS = ['__proto__', 'constructor', '', '1', 'ü "\\ \n', 'value', 'id']
const input = (id: string) => ({ type: 'input', id, label: `Label of ${id}`, value: 'own' })

test('P9: the log, webhooks and redeliveries have the values, byte for byte as answered', async () => {
  const label = `${'long '.repeat(60)}ü "\\ \n`
  const blocks = [
    ...IDS.filter(id => id !== '').map(input),
    { type: 'select', id: 'select', label: 'S', options: ['a', 'b'], value: 'a' },
    { type: 'multiselect', id: 'multi', options: ['a', 'b', 'c'], value: ['c'] },
    { type: 'toggle', id: 'toggle', label: 'T', value: true },
    { type: 'kv', id: 'kv', rows: [{ key: 'value', value: 'id' }] },
    { type: 'button', id: 'buttons', buttons: [{ id: 'go', label }] },
  ]
  scene = await buildScene(service, { blocks, webhook_url: receiver.url })
  const given = Object.fromEntries(IDS.map(id => [id, `given to ${id}`]))
  const answers: Answer<LoggedInteraction>[] = [
    await scene.click(),
    await scene.click({ values: given }),
    await scene.click({ values: { select: null, multi: ['b', 'a'], toggle: false } }),
    await scene.click({ values: { __proto__: 'x', multi: [] } }),
  ]
  const { account, channel_id } = scene
  await account.key('PATCH', `/channels/${channel_id}/cards/${scene.card_id}`, {
    blocks: [{ id: 'toggle', patch: { value: false } }],
  })
  answers.push(await scene.click({ values: { ...given, toggle: true } }))
  await settledLog(scene)
  const bodies = answers.map(({ body }) => JSON.stringify(body))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
  expect(answers[1]?.body.card_state?.slice(0, 2)).toMatchObject([
    { id: '__proto__', value: 'given to __proto__' },
    { id: 'constructor', value: 'given to constructor' },
  ])
  expect(receiver.received.map(({ body }) => body)).toEqual(bodies)
  const log = await readLog(scene)
  expect(log.map(({ card_state }) => JSON.stringify(card_state)).reverse()).toEqual(
    answers.map(({ body }) => JSON.stringify(body.card_state)),
  )
  const list = await account.key<{ interactions: object[] }>('GET', `/channels/${channel_id}/interactions`)
  expect(list.body.interactions.map(found => JSON.stringify(found)).reverse()).toEqual(bodies)
  const search = await account.session<{ interactions: object[] }>(
    'GET',
    `/channels/${channel_id}/interactions?search=${encodeURIComponent('LONG long')}`,
  )
  expect(search.body.interactions).toHaveLength(5)
  // Redelivered after the card was deleted, and repeated by the viewer.
  await account.key('DELETE', `/channels/${channel_id}/cards/${scene.card_id}`)
  const { interaction_id = '' } = answers[1]?.body ?? {}
  await account.session('POST', `/channels/${channel_id}/interactions/${interaction_id}/redeliver`)
  await settledLog(scene)
  expect(receiver.received.at(-1)?.body).toBe(bodies[1])
})

test('an expired question is logged with the card, which it shares with presses', async () => {
  scene = await buildScene(service)
  const asked = await ask(scene.account.key, scene.channel_id, { expires_in: 1 })
  await expect
    .poll(async () => (await scene.account.key<{ state: string }>('GET', asked.path)).body.state, {
      timeout: 10_000,
    })
    .toBe('expired')
  const [logged] = await readLog(scene)
  expect(logged?.card_state).toMatchObject([{ id: 'title' }, { id: 'note', value: '' }, { id: 'ask' }])
})

test('instances of 0.2 write and delete whole states beside those with values', async () => {
  scene = await buildScene(service)
  const entered = (await scene.click({ values: { note: 'kept' } })).body
  const whole = [{ id: 'text', type: 'text', content: randomUUID() }]
  const old = await insertInteraction(service.sql, scene.channel_id, entered.trigger as { type: string }, {
    card_state: whole,
  })
  await insertInteraction(service.sql, scene.channel_id, old.trigger, { card_state: whole })
  const states = async () => (await readLog(scene)).map(({ card_state }) => card_state)
  expect(await states()).toEqual([whole, whole, entered.card_state])
  // As their retention does it, for the card without values too: another state is made of it.
  const removeUnused = () => service.sql`
    delete from card_states cs where channel_id = ${scene.channel_id} and not exists (
      select from interactions i where i.channel_id = cs.channel_id and i.card_state_hash = cs.hash)`
  await removeUnused()
  expect(await states()).toEqual([whole, whole, entered.card_state])
  await service.sql`update interactions set created_at = now() - interval '8 days' where channel_id = ${scene.channel_id}`
  await deleteOldInteractions(service.sql, 7)
  expect(
    await service.sql`select from stored_card_states where channel_id = ${scene.channel_id}`,
  ).toHaveLength(0)
})

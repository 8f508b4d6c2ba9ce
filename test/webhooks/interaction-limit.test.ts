// ACT_LIMIT limits how many interactions a person may send.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { ask } from '../support/decisions.ts'
import { failed } from '../support/errors.ts'
import { countInteractions } from '../support/interactions.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { times } from '../support/times.ts'

// One per minute, since no test takes that long.
const service = await runService({ ACT_LIMIT: '1', TRUST_PROXY: '1' })

let last = 0
/** Headers of an anonymous viewer at a new network address. */
const newAddress = () => ({ 'X-Forwarded-For': `192.0.2.${++last}` })
const reply = { trigger: { type: 'reply', text: 'hello' } }

test('beyond the limit, an address gets 429 with Retry-After, and nothing is recorded', async () => {
  const scene = await buildScene(service)
  const from = newAddress()
  expect((await scene.interact(reply, from)).status).toBe(201)
  const limited = await scene.interact(reply, from)
  expect(limited).toMatchObject(failed(429, 'Too many actions'))
  const wait_s = Number(limited.headers.get('Retry-After'))
  expect(wait_s).toBeGreaterThan(0)
  expect(wait_s).toBeLessThanOrEqual(60)
  expect(await countInteractions(service.sql, scene.channel_id)).toBe(1)
  expect((await scene.interact(reply, newAddress())).status).toBe(201)

  // A user's limit is their own, and holds at every address.
  const Cookie = (await createAccount(service)).cookie
  expect((await scene.interact(reply, { ...from, Cookie })).status).toBe(201)
  expect((await scene.interact(reply, { ...newAddress(), Cookie })).status).toBe(429)
})

test('a press beyond the limit decides nothing, and counts when it is sent again', async () => {
  const { account, channel_id, interact } = await buildScene(service)
  const asked = await ask(account.key, channel_id)
  const press = {
    interaction_id: randomUUID(),
    card_id: asked.card_id,
    trigger: { type: 'button_click', button_id: 'yes' },
  }
  const from = newAddress()
  await interact(reply, from)
  const limited = await interact(press, from)
  expect(limited).toMatchObject(failed(429, 'Too many actions'))
  expect(limited.headers.has('Retry-After')).toBe(true)
  expect((await account.key('GET', asked.path)).body).toMatchObject({ state: 'waiting', outcome: null })
  expect(await interact(press, newAddress())).toMatchObject({
    status: 201,
    body: { decision: { state: 'decided' } },
  })
})

test('a channel takes five times the limit from anonymous viewers, and still takes users’ interactions', async () => {
  const scene = await buildScene(service)
  const responses = await times(8, () => scene.interact(reply, newAddress()))
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array(5).fill(201), ...Array(3).fill(429)])
  expect((await scene.interact(reply, { Cookie: scene.account.cookie })).status).toBe(201)
})

test('a repeated interaction counts again', async () => {
  const { interact } = await buildScene(service)
  const from = newAddress()
  const body = { ...reply, interaction_id: randomUUID() }
  for (const status of [201, 429]) expect((await interact(body, from)).status).toBe(status)
})

test('access is checked before the limit, and the limit before the body', async () => {
  const [open, closed] = [await buildScene(service), await buildScene(service, { visibility: 'private' })]
  const from = newAddress()
  expect((await closed.interact(reply, from)).status).toBe(401)
  expect((await open.interact({ trigger: 1 }, from)).status).toBe(400)
  expect((await open.interact({ trigger: 1 }, from)).status).toBe(429)
  expect((await closed.interact(reply, from)).status).toBe(401)
})

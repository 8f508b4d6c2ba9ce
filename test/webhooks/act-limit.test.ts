// ACT_LIMIT bounds how many interactions a person may send.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { buildScene, type Refusal, type Scene } from '../support/scene.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  // One token a minute: no test takes that long.
  service = await startTestService({ ACT_LIMIT: '1', TRUST_PROXY: '1' })
})
afterAll(() => service.stop())

let last = 0
/** Headers of an anonymous viewer at a new network address. */
const newAddress = () => ({ 'X-Forwarded-For': `192.0.2.${++last}` })
const reply = { trigger: { type: 'reply', text: 'hello' } }

async function countRecorded({ channel_id }: Scene): Promise<number> {
  const [row] = await service.sql<{ count: number }[]>`
    select count(*)::integer as count from interactions where channel_id = ${channel_id}`
  return row?.count ?? 0
}

test('beyond the limit, an address gets 429 with Retry-After, and nothing is recorded', async () => {
  const scene = await buildScene(service)
  const from = newAddress()
  expect((await scene.act(reply, from)).status).toBe(201)
  const refused = await scene.act<Refusal>(reply, from)
  expect([refused.status, refused.body]).toEqual([429, { error: 'Too many actions' }])
  expect(Number(refused.headers.get('Retry-After'))).toBeGreaterThan(0)
  expect(Number(refused.headers.get('Retry-After'))).toBeLessThanOrEqual(60)
  expect(await countRecorded(scene)).toBe(1)
  expect((await scene.act(reply, newAddress())).status).toBe(201)
})

test('addresses of one IPv6 network count as one', async () => {
  const scene = await buildScene(service)
  const from = (address: string) => ({ 'X-Forwarded-For': address })
  expect((await scene.act(reply, from('2001:db8::1'))).status).toBe(201)
  expect((await scene.act(reply, from('2001:db8::2'))).status).toBe(429)
  expect((await scene.act(reply, from('2001:db8:0:1::1'))).status).toBe(201)
})

test('a user’s limit holds at every address, and doesn’t affect other users at the same address', async () => {
  const scene = await buildScene(service)
  const [ann, bob] = [await createAccount(service), await createAccount(service)]
  expect((await scene.act(reply, { ...newAddress(), Cookie: ann.cookie })).status).toBe(201)
  const from = newAddress()
  expect((await scene.act(reply, { ...from, Cookie: ann.cookie })).status).toBe(429)
  expect((await scene.act(reply, { ...from, Cookie: bob.cookie })).status).toBe(201)
  expect((await scene.act(reply, from)).status).toBe(201)
})

test('a channel takes five times the limit from anonymous viewers, and still takes users’ interactions', async () => {
  const scene = await buildScene(service)
  const answers = await Promise.all(Array.from({ length: 8 }, () => scene.act(reply, newAddress())))
  const statuses = answers.map(({ status }) => status).sort()
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429, 429])
  const session = { Cookie: scene.account.cookie }
  expect((await scene.act(reply, session)).status).toBe(201)
})

test('a repeated interaction counts again', async () => {
  const scene = await buildScene(service)
  const from = newAddress()
  const body = { ...reply, interaction_id: randomUUID() }
  expect((await scene.act(body, from)).status).toBe(201)
  expect((await scene.act(body, from)).status).toBe(429)
})

test('access is checked before the limit, and the limit before the body', async () => {
  const [open, closed] = [await buildScene(service), await buildScene(service, { visibility: 'private' })]
  const from = newAddress()
  expect((await closed.act(reply, from)).status).toBe(401)
  expect((await open.act({ trigger: 1 }, from)).status).toBe(400)
  expect((await open.act({ trigger: 1 }, from)).status).toBe(429)
  expect((await closed.act(reply, from)).status).toBe(401)
})

// Ends the real process with kill -9 while it sends deliveries: one, and thousands to a receiver that fails at random.
// Needs `npm run build:server`. INTERACTIONS=10000 sends more. SEED=… repeats the receiver's response to each interaction.
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { connect, type Sql } from '../../server/database/connect.ts'
import { readPidFile } from '../../server/database/embedded-folder.ts'
import { signIn, withKey } from '../support/account.ts'
import { expectActivityMatchesRows } from '../support/activity.ts'
import { createChannel } from '../support/channels.ts'
import { INTERRUPTED } from '../support/deliveries.ts'
import { type Behaviour, type Received, textOf } from '../support/receiver.ts'
import { runReceiver } from '../support/running.ts'
import { startServer } from '../support/server.ts'
import { callTo } from '../support/service.ts'

const INTERACTIONS = Number(process.env.INTERACTIONS ?? 1_000)
const CHANNELS = 50
const SENDERS = 24

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
console.info(`seed ${seed}: SEED=${seed} repeats the receiver's responses`)

const receiver = await runReceiver()
const server = await startServer({ DAILY_CHANNEL_LIMIT: '0', ACT_LIMIT: '0' })
const { url, owner, workspace_id } = server
const key = withKey(url, server.api_key)
const session = callTo(`${url}/api`, { Cookie: await signIn(url, owner.email, owner.password) })
await session('PATCH', `/workspaces/${workspace_id}`, { visibility: 'public' })
let sql = openDatabase()
afterAll(async () => {
  await sql.end()
  await server.stop()
})

test('after kill -9, a delivery that was being sent fails as interrupted, and pending ones are sent once', async () => {
  receiver.behave({ kind: 'stall' })
  const channel = await newChannel()
  for (const text of ['a', 'b', 'c']) expect(await send({ channel, text, id: randomUUID() })).toBe(201)
  await receiver.hasReceived(1)
  receiver.behave({ kind: 'answer' })
  await killAndRestart()
  await receiver.hasReceived(3)
  expect(receiver.texts()).toEqual(['a', 'b', 'c'])
  await allSettled()
  const rows = await sql`
    select status, error, attempts from webhook_deliveries where channel_id = ${channel} order by place`
  const success = { status: 'success', error: null, attempts: 1 }
  expect([...rows]).toEqual([{ status: 'failed', error: INTERRUPTED, attempts: 1 }, success, success])
})

test(`a kill -9 among ${INTERACTIONS} interactions: each is recorded once and delivered at most once`, async () => {
  receiver.received.length = 0
  receiver.behave(request => responseTo(textOf(request)).behaviour)
  const channels = await Promise.all(Array.from({ length: CHANNELS }, newChannel))
  const replies = Array.from({ length: INTERACTIONS }, (_, i) => ({
    id: randomUUID(),
    channel: channels[i % CHANNELS] ?? '',
    text: String(i),
  }))
  const waiting = replies.values()
  const senders = Array.from({ length: SENDERS }, async () => {
    for (const reply of waiting) await sendUntilAccepted(reply)
  })
  await receiver.hasReceived(INTERACTIONS / 3)
  await killAndRestart()
  await Promise.all(senders)
  await allSettled()

  const logged = await sql<Row[]>`
    select i.interaction_id as id, i.channel_id as channel, i.trigger ->> 'text' as text, d.id as delivery,
      d.status, d.error, d.response_code, d.attempts, i.timestamp
    from interactions i left join webhook_deliveries d using (channel_id, number)
    where i.channel_id = any(${channels}) order by i.channel_id, i.number`
  // Each interaction is recorded once, as sent, with one delivery.
  expect(logged).toHaveLength(INTERACTIONS)
  const sent = new Map<string, Reply>(replies.map(reply => [reply.id, reply]))
  for (const { id, channel, text } of logged) expect(sent.get(id)).toEqual({ id, channel, text })
  expect(new Set(logged.map(({ id }) => id)).size).toBe(INTERACTIONS)
  expect(logged.filter(({ delivery, attempts }) => delivery === null || attempts !== 1)).toEqual([])

  // Each is delivered at most once. Only deliveries that the killed process was sending, one per channel, may not arrive.
  const received = new Map<string, Received>()
  for (const request of receiver.received) {
    const id = request.headers['webhook-id'] ?? ''
    expect(received.has(id)).toBe(false)
    received.set(id, request)
  }
  expect(logged.filter(({ error }) => error === INTERRUPTED).length).toBeLessThanOrEqual(CHANNELS)
  for (const row of logged) {
    const request = received.get(row.id)
    if (!request) expect(row.error).toBe(INTERRUPTED)
    else expect(request.body).toBe(bodyOf(row))
    if (row.error !== INTERRUPTED) expect(row).toMatchObject(responseTo(row.text).outcome)
  }

  // Deliveries of a channel are in order of acceptance.
  const order = new Map(logged.map(({ id }, i) => [id, i]))
  const last = new Map<string, number>()
  for (const [id, { body }] of received) {
    const { channel_id }: { channel_id: string } = JSON.parse(body)
    const index = order.get(id) ?? -1
    expect(index).toBeGreaterThan(last.get(channel_id) ?? -1)
    last.set(channel_id, index)
  }

  await expectActivityMatchesRows(sql)
}, 300_000)

type Reply = { id: string; channel: string; text: string }
type Row = Reply & {
  delivery: string | null
  status: string
  error: string | null
  response_code: number | null
  attempts: number
  timestamp: string
}

function bodyOf({ id, channel, text, timestamp }: Row): string {
  const ids = { interaction_id: id, channel_id: channel, card_id: null }
  return JSON.stringify({ ...ids, timestamp, trigger: { type: 'reply', text }, card_state: null })
}

async function send({ id, channel, text }: Reply): Promise<number> {
  const body = { interaction_id: id, trigger: { type: 'reply', text } }
  return (await callTo(`${url}/api`)('POST', `/channels/${channel}/interactions`, body)).status
}

/** Sends the same id until the service accepts it, as a browser does. */
async function sendUntilAccepted(reply: Reply): Promise<void> {
  const isAccepted = async () => [200, 201].includes(await send(reply).catch(() => 0))
  await vi.waitUntil(isAccepted, { timeout: 60_000, interval: 50 })
}

const newChannel = () =>
  createChannel({ key, workspace_id }, { mode: 'interactive', webhook_url: receiver.url })

async function killAndRestart(): Promise<void> {
  await sql.end({ timeout: 1 })
  await server.kill()
  await server.restart()
  sql = openDatabase()
}

/** Resolves when no delivery is pending. */
async function allSettled(): Promise<void> {
  const pending = async () =>
    (await sql`select from webhook_deliveries where status in ('pending', 'sending') limit 1`).length
  await vi.waitUntil(async () => (await pending()) === 0, { timeout: 200_000, interval: 50 })
}

function openDatabase(): Sql {
  const { socket_dir } = readPidFile(join(server.data_dir, 'postgres'))
  return connect({ socket_dir }, { max: 1 })
}

type Response = [below: number, behaviour: Behaviour, status: string, response_code: number | null]

/** The receiver's responses to a hundred interactions, with the deliveries' outcomes. */
const RESPONSES: Response[] = [
  [10, { kind: 'answer', status: 500, body: 'out of order' }, 'failed', 500],
  [15, { kind: 'close' }, 'failed', null],
  [20, { kind: 'redirect', to: 'http://127.0.0.1:1/' }, 'failed', 307],
  [22, { kind: 'flood' }, 'success', 200],
]
const OTHERWISE: Response = [100, { kind: 'answer' }, 'success', 204]

/** Depends on the seed and the interaction's text, a number. The ids are random and differ between runs. */
function responseTo(text: string) {
  const chance = (Math.imul(Number(text) + seed, 0x9e3779b1) >>> 0) % 100
  const [, behaviour, status, response_code] = RESPONSES.find(([below]) => chance < below) ?? OTHERWISE
  return { behaviour, outcome: { status, response_code } }
}

// Kills the real process with kill -9 while ten thousand interactions are delivered to a receiver that fails at random.
// Needs `npm run build:server`. SEED=… repeats the receiver's behaviour.
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { connect, type Sql } from '../../server/database/connect.ts'
import { signIn, withKey } from '../support/account.ts'
import { expectActivityMatchesRows } from '../support/activity.ts'
import { createChannel } from '../support/channels.ts'
import { INTERRUPTED } from '../support/deliveries.ts'
import type { Behaviour, Received } from '../support/receiver.ts'
import { runReceiver } from '../support/running.ts'
import { startServer } from '../support/server.ts'
import { caller } from '../support/service.ts'

const INTERACTIONS = 10_000
const CHANNELS = 50
const WRITERS = 24

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
console.info(`seed ${seed}: SEED=${seed} repeats the run`)

const receiver = await runReceiver()
const server = await startServer({ DAILY_CHANNEL_LIMIT: '0', ACT_LIMIT: '0' })
const { url, owner, workspace_id } = server
const key = withKey(url, server.api_key)
const session = caller(`${url}/api`, { Cookie: await signIn(url, owner.email, owner.password) })
await session('PATCH', `/workspaces/${workspace_id}`, { visibility: 'public' })
let sql = await openDatabase()
afterAll(async () => {
  await sql.end()
  await server.stop()
})

test('after kill -9, a delivery that was being sent isn’t repeated, and pending ones are sent', async () => {
  receiver.behave({ kind: 'stall' })
  const channel = await newChannel()
  for (const text of ['a', 'b', 'c']) expect(await send({ channel, text, id: randomUUID() })).toBe(201)
  await receiver.count(1)
  receiver.behave({ kind: 'answer' })
  await killAndRestart()
  await receiver.count(3)
  expect(receiver.texts()).toEqual(['a', 'b', 'c'])
  await settled()
  const rows = await sql`
    select status, error, attempts from webhook_deliveries where channel_id = ${channel} order by place`
  const success = { status: 'success', error: null, attempts: 1 }
  expect([...rows]).toEqual([{ status: 'failed', error: INTERRUPTED, attempts: 1 }, success, success])
})

test(`${INTERACTIONS} interactions with kill -9 in the middle are recorded once and delivered at most once`, async () => {
  receiver.received.length = 0
  receiver.behave(atRandom(seed))
  const channels = await Promise.all(Array.from({ length: CHANNELS }, newChannel))
  const replies = Array.from({ length: INTERACTIONS }, (_, i) => ({
    id: randomUUID(),
    channel: channels[i % CHANNELS] ?? '',
    text: String(i),
  }))
  const waiting = replies.values()
  const writers = Array.from({ length: WRITERS }, async () => {
    for (const reply of waiting) await sendUntilAccepted(reply)
  })
  await receiver.count(INTERACTIONS / 3)
  await killAndRestart()
  await Promise.all(writers)
  await settled()

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

  // Each is delivered at most once. The others were claimed by the killed process.
  const received = new Map<string, Received>()
  for (const request of receiver.received) {
    const id = request.headers['webhook-id'] ?? ''
    expect(received.has(id)).toBe(false)
    received.set(id, request)
  }
  const interrupted = logged.filter(({ error }) => error?.startsWith('interrupted'))
  expect(interrupted.length).toBeLessThanOrEqual(CHANNELS)
  for (const row of logged) {
    const request = received.get(row.id)
    if (!request) expect(row.error).toMatch(/^interrupted/)
    else expect(request.body).toBe(bodyOf(row))
    if (!row.error?.startsWith('interrupted')) expect(row).toMatchObject(expected(seed, row.id))
  }

  // Deliveries of a channel are in order of acceptance.
  const order = new Map(logged.map(({ id }, i) => [id, i]))
  const last = new Map<string, number>()
  for (const [id, { body }] of received) {
    const { channel_id }: { channel_id: string } = JSON.parse(body)
    const place = order.get(id) ?? -1
    expect(place).toBeGreaterThan(last.get(channel_id) ?? -1)
    last.set(channel_id, place)
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
  return (await caller(`${url}/api`)('POST', `/channels/${channel}/interactions`, body)).status
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
  sql = await openDatabase()
}

/** Resolves when no delivery is pending. */
async function settled(): Promise<void> {
  const pending = async () =>
    (await sql`select from webhook_deliveries where status in ('pending', 'sending') limit 1`).length
  await vi.waitUntil(async () => (await pending()) === 0, { timeout: 200_000, interval: 50 })
}

async function openDatabase(): Promise<Sql> {
  const pid = await readFile(join(server.data_dir, 'postgres', 'postmaster.pid'), 'utf8')
  return connect({ socket_dir: pid.split('\n')[4] ?? '' }, { max: 1 })
}

/** The outcome that the receiver causes, which depends on the interaction's id and the seed. */
function expected(seed: number, id: string): { status: string; response_code: number | null } {
  const behaviour = behaviourOf(seed, id)
  if (behaviour.kind === 'close') return { status: 'failed', response_code: null }
  if (behaviour.kind === 'redirect') return { status: 'failed', response_code: 307 }
  const code = behaviour.kind === 'answer' ? (behaviour.status ?? 204) : 200
  return { status: code < 300 ? 'success' : 'failed', response_code: code }
}

const atRandom = (seed: number) => (request: Received) =>
  behaviourOf(seed, request.headers['webhook-id'] ?? '')

function behaviourOf(seed: number, id: string): Behaviour {
  const chance = ((Number.parseInt(id.slice(0, 8), 16) ^ seed) >>> 0) % 100
  if (chance < 10) return { kind: 'answer', status: 500, body: 'out of order' }
  if (chance < 15) return { kind: 'close' }
  if (chance < 20) return { kind: 'redirect', to: 'http://127.0.0.1:1/' }
  if (chance < 22) return { kind: 'flood' }
  return { kind: 'answer' }
}

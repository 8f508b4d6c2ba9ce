// P2: requests that share a turn are each done once, as if they had come alone.
import { expect, test } from 'vitest'
import { touchedOf } from '../../shared/channel-doc.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { pushCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { ask } from '../support/decisions.ts'
import { countLockWaits, holdLocks, PATIENT_LOCK_MS } from '../support/locks.ts'
import { runWithOwner } from '../support/running.ts'
import type { Answer } from '../support/service.ts'
import { times } from '../support/times.ts'
import { until, watchSynced } from '../support/viewer.ts'

const { service, ann } = await runWithOwner({}, { lock_ms: PATIENT_LOCK_MS })

type Sent = { method: string; path: string; body: object; headers: Record<string, string> }
type Result = Answer<{ id: string }>

const send = ({ method, path, body, headers }: Sent) => ann.key<{ id: string }>(method, path, body, headers)

const seqOf = async (channel_id: string): Promise<number> => {
  const [row] = await service.sql<
    { seq: number }[]
  >`select seq from documents where channel_id = ${channel_id}`
  return row?.seq ?? -1
}

const rowsOf = (channel_id: string) => service.sql`
  select id, key, status, blocks from cards where channel_id = ${channel_id} order by position`

/** While the first turn waits for a lock, the requests gather for the second one. */
async function inOneTurn(channel_id: string, requests: Sent[]): Promise<Result[]> {
  const cards = `/channels/${channel_id}/cards`
  const unlock = await holdLocks(
    service.database,
    sql => sql`select from documents where channel_id = ${channel_id} for update`,
  )
  const before = await seqOf(channel_id)
  const first = pushCard(ann.key, cards)
  await until(async () => (await countLockWaits(service.sql)) > 0, 'the first turn waits')
  const sent = requests.map(send)
  // Each has been read and is in the queue when a request that came later has an answer.
  await times(3, () => ann.key('GET', cards))
  await unlock()
  const answers = await Promise.all(sent)
  await first
  expect((await seqOf(channel_id)) - before).toBeLessThan(requests.length)
  return answers
}

const keyed = (method: string, path: string, body: object): Sent => ({
  method,
  path,
  body,
  headers: { 'Idempotency-Key': crypto.randomUUID() },
})

test('keyed writes of one turn are each replayed, and done once', async () => {
  const channel_id = await createChannel(ann)
  const cards = `/channels/${channel_id}/cards`
  const patched = await times(3, () =>
    pushCard(ann.key, cards, { blocks: [{ type: 'kv', id: 'kv', rows: [] }] }),
  )
  const append = { blocks: [{ id: 'kv', patch: { append_rows: [{ key: 'a', value: 'b' }] } }] }
  const requests = [
    ...Array.from({ length: 6 }, (_, i) => keyed('POST', cards, textCard(`${i}`))),
    ...Array.from({ length: 3 }, (_, i) => keyed('PUT', `${cards}/by-key/${i}`, textCard(`key ${i}`))),
    ...patched.map(path => keyed('PATCH', path, append)),
  ]
  const first = await inOneTurn(channel_id, requests)
  for (const { status } of first) expect(status).toBeLessThan(300)
  const rows = await rowsOf(channel_id)
  for (const [i, request] of requests.entries()) {
    const again = await send(request)
    expect(again).toMatchObject({ status: first[i]?.status, body: first[i]?.body })
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
  }
  expect(await rowsOf(channel_id)).toEqual(rows)
})

test('D4: a key asks one question, even if its requests share a turn', async () => {
  const channel_id = await createChannel(ann, { mode: 'interactive' })
  const cards = `/channels/${channel_id}/cards`
  const blocks = [
    { type: 'button', id: 'ask', buttons: [{ id: 'yes', label: 'Yes' }], decision: { key: 'once' } },
  ]
  const request = { method: 'POST', path: cards, body: { blocks }, headers: {} }
  const answers = await inOneTurn(channel_id, [request, request, request, request])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})

test('D1: of presses that share a turn, one decides', async () => {
  const channel_id = await createChannel(ann, { mode: 'interactive' })
  await ann.session('PATCH', `/workspaces/${ann.workspace_id}`, { visibility: 'public' })
  const asked = await ask(ann.key, channel_id, { agents: true })
  const { key: agent } = await ann
    .session<{ key: string }>('POST', '/api-keys', { name: 'Agent' })
    .then(({ body }) => body)
  const press = (i: number): Sent => ({
    method: 'POST',
    path: asked.path,
    body: { button_id: i % 2 ? 'no' : 'yes' },
    headers: { Authorization: `Bearer ${agent}` },
  })
  const answers = await inOneTurn(
    channel_id,
    Array.from({ length: 6 }, (_, i) => press(i)),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409])
})

test('a card that changes in the turn in which its page leaves the document is fetched again', async () => {
  const channel_id = await createChannel(ann)
  const cards = `/channels/${channel_id}/cards`
  const first = await pushCard(ann.key, cards)
  // One less than five full pages. The first turn adds one.
  for (let i = 0; i < 6; i++) await times(53, () => pushCard(ann.key, cards))
  const viewer = await watchSynced(service.url, channel_id, { token: ann.api_key })
  await inOneTurn(channel_id, [
    { method: 'PATCH', path: first, body: { status: 'error' }, headers: {} },
    ...['The sixth page', 'Its second card'].map(text => ({
      method: 'POST',
      path: cards,
      body: textCard(text),
      headers: {},
    })),
  ])
  await until(() => viewer.cards()[0]?.position === 64, 'the first page has left')
  expect(touchedOf(viewer.doc)?.get('0')).toBe(await seqOf(channel_id))
  await expectRowsMatchDocument(service.sql, channel_id)
})

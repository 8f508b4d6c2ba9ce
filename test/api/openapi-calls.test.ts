// Calls every documented operation for every documented status and compares the response with its description: status,
// type, body and headers. Callers can't cause 500 and 503, so those are left out.
import { describe, expect, test } from 'vitest'
import { newDeployment } from '../../server/routes/examples.ts'
import { BODY_MAX_BYTES, WAITS_PER_KEY } from '../../shared/limits.ts'
import { type Account, createAccount, createTestKey } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { unheard } from '../support/decisions.ts'
import { codesOf, type DocumentedOperation, operations, problemsOfResponse } from '../support/openapi.ts'
import { runService } from '../support/running.ts'

const LIMIT = 1_000

const service = await runService({ DAILY_CARD_LIMIT: String(LIMIT), DAILY_CHANNEL_LIMIT: String(LIMIT) })
/** Carol has reached the daily limits, and Dave has too many stored responses. */
const [ann, bob, carol, dave] = [
  await createAccount(service),
  await createAccount(service),
  await createAccount(service),
  await createAccount(service),
]

type Target = { channelId: string; cardId: string; decisionId: string; key: string; workspace_id: string }

/** An interactive channel with the card of the examples, which asks a question that agents may answer. */
async function makeTarget(account: Account): Promise<Target> {
  const channelId = await createChannel(account, { mode: 'interactive' })
  const key = crypto.randomUUID()
  // The dashboard asks, since the key that asks may not decide.
  const { body } = await account.session<{ id: string; decisions: { id: string }[] }>(
    'PUT',
    `/channels/${channelId}/cards/by-key/${key}`,
    asking({ agents: true, comment: 'optional' }),
  )
  const decisionId = body.decisions[0]?.id ?? ''
  return { channelId, cardId: body.id, decisionId, key, workspace_id: account.workspace_id }
}

/** Ann's, with what the operation reads. */
async function targetOf({ operationId }: DocumentedOperation): Promise<Target> {
  const target = await makeTarget(ann)
  const { channelId, decisionId } = target
  if (operationId === 'getSignedDecision')
    await ann.key('POST', `/channels/${channelId}/decisions/${decisionId}`, { button_id: 'ship' })
  return target
}

/** The card of the examples, with a question. */
const asking = (decision: object) => ({
  blocks: newDeployment.blocks.map(block => (block.type === 'button' ? { ...block, decision } : block)),
})

type Wishes = { api_key?: string | null; headers?: Record<string, string>; query?: string; body?: unknown }

function call(operation: DocumentedOperation, target: Target, wishes: Wishes = {}): Promise<Response> {
  const { api_key = ann.api_key, headers, body = exampleOf(operation) } = wishes
  const values = new Map(Object.entries(target))
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(values.get(name) ?? ''))
  const query =
    wishes.query ?? (takes(operation, 'workspace_id') ? `?workspace_id=${target.workspace_id}` : '')
  return fetch(`${service.url}/api/v1${path}${query}`, {
    method: operation.method,
    redirect: 'manual',
    headers: {
      ...(api_key !== null && { Authorization: `Bearer ${api_key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: typeof body === 'string' ? body : JSON.stringify(inWorkspace(body, target)),
    }),
  })
}

const takes = ({ parameters }: DocumentedOperation, name: string) =>
  parameters.some(one => '$ref' in one && one.$ref.endsWith(`/${name}`))

const examplesOf = ({ requestBody }: DocumentedOperation) =>
  Object.values(requestBody?.content['application/json']?.examples ?? {}).map(({ value }) => value)
const exampleOf = (operation: DocumentedOperation) => examplesOf(operation)[0]

/** The workspace of an example does not exist. */
function inWorkspace(body: unknown, { workspace_id }: Target): unknown {
  return typeof body === 'object' && body !== null && 'workspace_id' in body
    ? { ...body, workspace_id }
    : body
}

/** Sends a request that gets this status. */
async function provoke(operation: DocumentedOperation, status: number): Promise<Response> {
  const { path } = operation
  const target = await targetOf(operation)
  const nowhere = {
    channelId: crypto.randomUUID(),
    cardId: crypto.randomUUID(),
    decisionId: crypto.randomUUID(),
    key: 'none',
    workspace_id: crypto.randomUUID(),
  }
  switch (status) {
    case 200:
      if (operation.operationId === 'decide') return decideTwice(operation, target)
      if (operation.operationId === 'createCard') return askTwice(operation, target)
      return call(operation, target)
    case 201:
      return call(operation, { ...target, key: crypto.randomUUID() })
    case 304: {
      const etag = (await call(operation, target)).headers.get('ETag') ?? ''
      return call(operation, target, { headers: { 'If-None-Match': etag } })
    }
    case 400:
      if (operation.requestBody) return call(operation, target, { body: '{' })
      if (path.includes('{key}')) return call(operation, { ...target, key: 'k'.repeat(256) })
      return call(operation, target, { query: '?limit=0&wait=61&workspace_id=' })
    case 401:
      return call(operation, target, { api_key: null })
    case 403:
      return call(operation, await makeTarget(bob))
    case 404:
      return call(operation, namesCard(operation) ? { ...nowhere, channelId: target.channelId } : nowhere)
    case 409:
      return takes(operation, 'Idempotency-Key')
        ? callTwiceAtOnce(operation, target)
        : callAfterDecision(operation, target)
    case 413:
      return call(operation, target, { body: JSON.stringify({ filler: 'x'.repeat(BODY_MAX_BYTES) }) })
    case 415:
      return call(operation, target, { headers: { 'Content-Encoding': 'gzip' } })
    case 422: {
      const headers = { 'Idempotency-Key': crypto.randomUUID() }
      await call(operation, target, { headers })
      const body = `${JSON.stringify(inWorkspace(exampleOf(operation), target))} `
      return call(operation, target, { headers, body })
    }
    case 429:
      if (path.endsWith('/events')) return callUntilLimited(operation, target)
      if (operation.operationId === 'decide') return callBeyondBytes(operation)
      if (operation.method === 'GET') return callBeyondWaits(operation, target)
      if (operation.method === 'PATCH') return callBeyondStoredResponses(operation)
      return call(operation, await useUpTheDay(), { api_key: carol.api_key })
    default:
      return call(operation, target)
  }
}

/** A card that must exist: PUT makes it. */
const namesCard = ({ path, method }: DocumentedOperation) => path.includes('/cards/') && method !== 'PUT'

/** The second gets 409 while the first waits for the database. */
async function callTwiceAtOnce(operation: DocumentedOperation, target: Target): Promise<Response> {
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  const calls: Promise<Response>[] = []
  return service.sql.begin(async tx => {
    await tx`lock table idempotency_keys in access exclusive mode`
    calls.push(call(operation, target, { headers }), call(operation, target, { headers }))
    return Promise.race(calls)
  })
}

/** The second card has the same question, and joins the first one. */
async function askTwice(operation: DocumentedOperation, target: Target): Promise<Response> {
  const body = asking({ key: 'once' })
  await call(operation, target, { body })
  return call(operation, target, { body })
}

/** The second press has the same `interaction_id`. */
async function decideTwice(operation: DocumentedOperation, target: Target): Promise<Response> {
  const body = { button_id: 'ship', interaction_id: crypto.randomUUID() }
  await call(operation, target, { body })
  return call(operation, target, { body })
}

/** Someone has decided. */
async function callAfterDecision(operation: DocumentedOperation, target: Target): Promise<Response> {
  const trigger = { type: 'button_click', button_id: 'ship' }
  const press = { card_id: target.cardId, trigger }
  await ann.session('POST', `/channels/${target.channelId}/interactions`, press)
  return call(operation, target)
}

/** Ann's key waits as often as it may. */
async function callBeyondWaits(operation: DocumentedOperation, target: Target): Promise<Response> {
  const { id, key: api_key } = await createTestKey(ann.session)
  const key = { id, user_id: ann.user_id, scope: 'read', workspace_id: null, expires_at: null } as const
  const decision = { id: target.decisionId, channel_id: target.channelId }
  const caller = { user_id: ann.user_id, key, session_id: undefined }
  const waits = Array.from({ length: WAITS_PER_KEY }, () =>
    service.waits.add(decision, caller, 60_000, unheard),
  )
  const response = await call(operation, target, { api_key, query: '?wait=60' })
  for (const wait of waits) service.waits.remove(wait)
  return response
}

/** Event streams stay open until the limit. */
async function callUntilLimited(operation: DocumentedOperation, target: Target): Promise<Response> {
  const { key: api_key } = await createTestKey(ann.session)
  const opened: Response[] = []
  for (;;) {
    const response = await call(operation, target, { api_key })
    if (response.ok) opened.push(response)
    else {
      await Promise.all(opened.map(({ body }) => body?.cancel()))
      return response
    }
  }
}

/** Daily limits don't count changes, so it is the limit of stored responses that is reached. */
async function callBeyondStoredResponses(operation: DocumentedOperation): Promise<Response> {
  await service.sql`
    insert into idempotency_keys (user_id, method, path, key, body_hash, status, response)
    select ${dave.user_id}, 'POST', '/kept', gen_random_uuid()::text, '', 201, repeat('x', 1024 * 1024)
    from generate_series(1, 64)`
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  return call(operation, await makeTarget(dave), { api_key: dave.api_key, headers })
}

/** The owner's channels have added all the bytes of the day. */
async function callBeyondBytes(operation: DocumentedOperation): Promise<Response> {
  const erin = await createAccount(service)
  const target = await makeTarget(erin)
  await service.sql`update daily_usage set bytes = 1e9 where user_id = ${erin.user_id}`
  return call(operation, target, { api_key: erin.api_key })
}

async function useUpTheDay(): Promise<Target> {
  await service.sql`update daily_usage set channels = 0 where user_id = ${carol.user_id}`
  const channelId = await createChannel(carol)
  await service.sql`update daily_usage set channels = ${LIMIT}, cards = ${LIMIT} where user_id = ${carol.user_id}`
  return {
    channelId,
    cardId: crypto.randomUUID(),
    decisionId: crypto.randomUUID(),
    key: crypto.randomUUID(),
    workspace_id: carol.workspace_id,
  }
}

/** Only a client that doesn't read gets it: test/api/large-responses.test.ts has some. */
const isUnread = (operation: DocumentedOperation, status: number) =>
  status === 429 && codesOf(operation, status).every(code => code === 'too_many_unread')

describe.each(operations)('$method $path', operation => {
  const statuses = operation.statuses.filter(status => status < 500 && !isUnread(operation, status))
  test.each(statuses)('the route returns %i as documented', async status => {
    const response = await provoke(operation, status)
    expect(response.status).toBe(status)
    expect(await problemsOfResponse(operation, response)).toEqual([])
  })
})

describe('the examples', () => {
  const withBody = operations.filter(({ requestBody }) => requestBody)
  test.each(withBody)(
    'the example of $method $path is accepted, and replayed for an Idempotency-Key',
    async operation => {
      for (const body of examplesOf(operation)) {
        const target = await makeTarget(ann)
        const headers = { 'Idempotency-Key': crypto.randomUUID() }
        // A second press gets 409.
        for (const _ of operation.operationId === 'decide' ? ['first'] : ['first', 'again']) {
          const response = await call(operation, target, { body, headers })
          expect(response.ok).toBe(true)
          expect(await problemsOfResponse(operation, response)).toEqual([])
        }
      }
    },
  )
})

describe('the documented scope', () => {
  const withKey = operations.filter(({ need }) => need !== null)
  test.each(withKey)('the scope $need is necessary and sufficient for $method $path', async operation => {
    const target = await targetOf(operation)
    const below = { full: 'write', write: 'read' }[operation.need ?? '']
    if (below !== undefined) {
      const { key } = await createTestKey(ann.session, { scope: below })
      expect((await call(operation, target, { api_key: key })).status).toBe(403)
    }
    const { key } = await createTestKey(ann.session, { scope: operation.need })
    const response = await call(operation, target, { api_key: key })
    await response.body?.cancel()
    expect(response.ok).toBe(true)
  })
})

// When the client sends a request again: which failures, how often, and after how long. The clock is the test's.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ChannelFeed } from '../../client/channel-feed.ts'

const ALWAYS_HALF = 0.5

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(ALWAYS_HALF)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

type Answer = () => Response | Promise<Response>
type Sent = { method: string; at: number; headers: Headers; body: unknown }

/** A client of a service that gives these answers, the last one for ever. `sent`: in seconds from now. */
function clientOf(answers: Answer[], options: { retries?: number; timeout?: number } = {}) {
  const began = Date.now()
  const sent: Sent[] = []
  const fetch: typeof globalThis.fetch = async (_, { method = '', headers, body, signal } = {}) => {
    const at = (Date.now() - began) / 1_000
    sent.push({ method, at, headers: new Headers(headers), body: JSON.parse(String(body ?? 'null')) })
    const answer = answers[Math.min(sent.length, answers.length) - 1]
    return new Promise<Response>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(new Error('aborted')))
      Promise.resolve(answer?.()).then(response => response && resolve(response), reject)
    })
  }
  return {
    client: new ChannelFeed({ url: 'http://feed.example.com', key: 'cf_test', fetch, ...options }),
    sent,
  }
}

const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  () =>
    Response.json({ error: 'message' }, { status: code, headers })
const lost: Answer = () => Promise.reject(new TypeError('fetch failed'))
const silent: Answer = () => new Promise<Response>(() => {})
const fine: Answer = () => Response.json([])

/** Resolves with the outcome and the times of all attempts. */
async function outcomeOf(work: Promise<unknown>, sent: Sent[]) {
  const settled = work.then(
    () => 'success',
    (error: Error) => error.name,
  )
  await vi.runAllTimersAsync()
  return { end: await settled, at: sent.map(({ at }) => at) }
}

test.each<[string, Answer]>([
  ['a lost connection', lost],
  ...[408, 425, 429, 500, 502, 503, 504].map((code): [string, Answer] => [`${code}`, status(code)]),
  ['a running Idempotency-Key', status(409, { 'Error-Code': 'idempotency_key_in_use' })],
])('%s is followed by another attempt', async (_, answer) => {
  const { client, sent } = clientOf([answer, fine])
  expect(await outcomeOf(client.workspaces(), sent)).toEqual({ end: 'success', at: [0, 0.5] })
})

test.each([400, 401, 403, 404, 409, 413, 415, 422, 501])('%d is final', async code => {
  const { client, sent } = clientOf([status(code)])
  const { end, at } = await outcomeOf(client.workspaces(), sent)
  expect([end === 'success', at]).toEqual([false, [0]])
})

test('there are three retries by default, after 0.5, 1 and 2 s', async () => {
  const { client, sent } = clientOf([lost])
  expect(await outcomeOf(client.workspaces(), sent)).toEqual({
    end: 'ConnectionError',
    at: [0, 0.5, 1.5, 3.5],
  })
})

test('the pauses double up to 8 s', async () => {
  const { client, sent } = clientOf([lost], { retries: 7 })
  const { at } = await outcomeOf(client.workspaces(), sent)
  expect(at.map((time, i) => time - (at[i - 1] ?? 0))).toEqual([0, 0.5, 1, 2, 4, 8, 8, 8])
})

test.each([
  [0, 0.25],
  [0.999_999, 0.75],
])('chance changes a pause by at most half: %d makes 0.5 s to %d s', async (chance, pause) => {
  vi.mocked(Math.random).mockReturnValue(chance)
  const { client, sent } = clientOf([lost, fine])
  expect((await outcomeOf(client.workspaces(), sent)).at[1]).toBeCloseTo(pause, 2)
})

describe('Retry-After', () => {
  test.each([0, 7, 60])('after %d s comes the next attempt', async seconds => {
    const { client, sent } = clientOf([status(429, { 'Retry-After': `${seconds}` }), fine])
    expect(await outcomeOf(client.workspaces(), sent)).toEqual({ end: 'success', at: [0, seconds] })
  })

  test('a gateway’s 503 may name the time too', async () => {
    const { client, sent } = clientOf([status(503, { 'Retry-After': '7' }), fine])
    expect(await outcomeOf(client.workspaces(), sent)).toEqual({ end: 'success', at: [0, 7] })
  })

  test('more than a minute fails at once', async () => {
    const { client, sent } = clientOf([status(429, { 'Retry-After': '61' })])
    expect(await outcomeOf(client.workspaces(), sent)).toEqual({ end: 'RateLimitError', at: [0] })
  })
})

test('the timeout is per attempt', async () => {
  const { client, sent } = clientOf([silent], { timeout: 10_000, retries: 2 })
  expect(await outcomeOf(client.workspaces(), sent)).toEqual({ end: 'ConnectionError', at: [0, 10.5, 21.5] })
})

test('an abort ends a pause at once', async () => {
  const { client } = clientOf([lost])
  const controller = new AbortController()
  const work = client.request('GET', '/workspaces', undefined, { signal: controller.signal })
  const rejected = expect(work).rejects.toThrow('no longer')
  await vi.advanceTimersByTimeAsync(100)
  controller.abort(new Error('no longer needed'))
  await rejected
  expect(vi.getTimerCount()).toBe(0)
})

describe('a repeated request', () => {
  const feedOf = (answers: Answer[]) => {
    const { client, sent } = clientOf(answers)
    return { feed: client.channel('c'), client, sent }
  }
  const keysOf = (sent: Sent[]) => sent.map(({ headers }) => headers.get('Idempotency-Key'))

  test.each<[string, (given: ReturnType<typeof feedOf>) => Promise<unknown>]>([
    ['a new card', ({ feed }) => feed.push([])],
    ['a patch of a card', ({ feed }) => feed.patch('id', {})],
    ['a new channel', ({ client }) => client.createChannel({ name: 'x', workspace_id: 'w' })],
    ['a question', ({ feed }) => feed.ask({ question: 'Deploy?' })],
  ])('%s has one Idempotency-Key in all attempts, and another one in the next call', async (_, call) => {
    const given = feedOf([lost, lost, status(400)])
    await outcomeOf(call(given), given.sent)
    await outcomeOf(call(given), given.sent)
    const keys = keysOf(given.sent)
    expect(keys).toEqual([keys[0], keys[0], keys[0], keys[3]])
    expect(new Set(keys).size).toBe(2)
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('the caller’s Idempotency-Key is used', async () => {
    const { feed, sent } = feedOf([lost, fine])
    await outcomeOf(feed.push([], { idempotency_key: 'mine' }), sent)
    expect(keysOf(sent)).toEqual(['mine', 'mine'])
  })

  test('a press has one interaction_id', async () => {
    const { client, sent } = feedOf([lost, fine])
    await outcomeOf(client.decision('channel/decision').decide('yes'), sent)
    const ids = sent.map(({ body }) => Object(body).interaction_id)
    expect(ids).toEqual([ids[0], ids[0]])
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('404 to a repeated DELETE is success, and to the first one an error', async () => {
    const { feed, sent } = feedOf([lost, status(404)])
    expect((await outcomeOf(feed.remove('id'), sent)).end).toBe('success')
    const gone = feedOf([status(404)])
    expect((await outcomeOf(gone.feed.remove('id'), gone.sent)).end).toBe('NotFoundError')
  })

  test('404 to a repeated withdrawal is an error: a question that was withdrawn is still there', async () => {
    const { client, sent } = feedOf([lost, status(404)])
    expect((await outcomeOf(client.decision('channel/decision').cancel(), sent)).end).toBe('NotFoundError')
  })

  test('a request that nothing makes repeatable is sent again only if the service has refused it', async () => {
    const refused = feedOf([status(429), status(425), fine])
    expect((await outcomeOf(refused.feed.addAction({ label: 'x' }), refused.sent)).end).toBe('success')
    const unknown = feedOf([status(503)])
    expect(await outcomeOf(unknown.client.request('POST', '/new'), unknown.sent)).toEqual({
      end: 'ConnectionError',
      at: [0],
    })
  })
})

describe('a wait', () => {
  const handle = 'channel/decision'
  const waiting: Answer = () => Response.json({ state: 'waiting' })
  /** As long as the service holds it back. */
  const held =
    (seconds: number): Answer =>
    () =>
      new Promise(resolve => setTimeout(() => resolve(Response.json({ state: 'waiting' })), seconds * 1_000))

  test('attempts are at most 12 s apart while the service is away, however long', async () => {
    vi.mocked(Math.random).mockReturnValue(0.999_999)
    const { client, sent } = clientOf([lost])
    await outcomeOf(client.decision(handle).wait({ timeout: 600_000 }), sent)
    const gaps = sent.map(({ at }, i) => at - (sent[i - 1]?.at ?? 0))
    expect(Math.max(...gaps)).toBeCloseTo(12)
    expect(sent.length).toBeGreaterThan(50)
  })

  test('a long Retry-After is shortened to 12 s', async () => {
    const { client, sent } = clientOf([status(429, { 'Retry-After': '3600' }), waiting])
    await outcomeOf(client.decision(handle).wait({ timeout: 20_000 }), sent)
    expect(sent[1]?.at).toBe(12)
  })

  test('its own timeout throws StillWaiting on time, with the handle and the question', async () => {
    const { client, sent } = clientOf([held(50), held(9), waiting])
    const work = client.decision(handle).wait({ timeout: 59_500 })
    const failed = expect(work).rejects.toMatchObject({
      name: 'StillWaiting',
      handle,
      decision: { state: 'waiting' },
    })
    await outcomeOf(work, sent)
    await failed
    expect(sent.at(-1)?.at).toBe(59.5)
  })

  test('an instance that answers at once is not asked without a pause', async () => {
    const { client, sent } = clientOf([waiting])
    await outcomeOf(client.decision(handle).wait({ timeout: 30_000 }), sent)
    expect(sent.length).toBeLessThan(10)
  })

  test('a response that never comes ends 15 s after the wait that it was asked for', async () => {
    const { client, sent } = clientOf([silent, waiting])
    await outcomeOf(client.decision(handle).wait({ timeout: 70_000 }), sent)
    expect(sent[1]?.at).toBe(65.5)
  })

  test('a timeout of 0 reads once', async () => {
    const { client, sent } = clientOf([waiting])
    expect(await outcomeOf(client.decision(handle).wait({ timeout: 0 }), sent)).toEqual({
      end: 'StillWaiting',
      at: [0],
    })
  })

  test.each(['', 'x', 'x/', '/x', 'a/b/c', 'a/..'])('%j is no handle', text => {
    expect(() => clientOf([]).client.decision(text)).toThrow(/must/)
  })
})

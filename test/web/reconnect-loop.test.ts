// The reconnect loop with fake timers and a page that the test controls.
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ChannelFeedError } from '../../client/errors.ts'
import { CLOSE_DELETED, CLOSE_FORBIDDEN, CLOSE_LOST_TIMELINE } from '../../shared/close-codes.ts'
import { makeReconnectLoop, type ReconnectTarget } from '../../web/lib/reconnect-loop.ts'

/** With the middle chance, delays are 300, 600, 1,200 … ms. */
const FIRST_DELAY = 300

let page: EventTarget & { visibilityState: string }
let browserWindow: EventTarget
let loop: ReturnType<typeof makeReconnectLoop> | undefined

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  browserWindow = new EventTarget()
  vi.stubGlobal('document', page)
  vi.stubGlobal('window', browserWindow)
  vi.stubGlobal('navigator', { onLine: true })
})

afterEach(() => {
  loop?.stop()
  vi.useRealTimers()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

/** Starts a loop whose connections open, unless `options` say otherwise. */
function start(options: Partial<ReconnectTarget> = {}, failures = 0) {
  const target = {
    connect: vi.fn(async (_signal: AbortSignal, _mustRead: boolean) => {}),
    disconnect: vi.fn(),
    isHealthy: vi.fn(() => true),
    onLink: vi.fn(),
    onRefused: vi.fn(),
    ...options,
  }
  loop = makeReconnectLoop(target, failures)
  const link = () => vi.mocked(target.onLink).mock.lastCall?.[0].state
  return { loop, target, connect: vi.mocked(target.connect), link }
}

test('the link is connecting until the server has sent everything', () => {
  const { loop, connect, link } = start()
  expect(connect).toHaveBeenCalledOnce()
  expect(link()).toBe('connecting')
  loop.live()
  expect(link()).toBe('live')
})

test('a lost connection is reconnecting for four seconds, then offline', async () => {
  const { loop, link } = start()
  loop.live()
  loop.lost()
  expect(link()).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(4_000)
  loop.lost()
  expect(link()).toBe('reconnecting')
  await vi.advanceTimersByTimeAsync(1)
  loop.lost()
  expect(link()).toBe('offline')
})

test('without a network the link is offline at once', () => {
  const { loop, link } = start()
  loop.live()
  vi.stubGlobal('navigator', { onLine: false })
  loop.lost()
  expect(link()).toBe('offline')
})

test('a page that was never live is offline after its first failure', async () => {
  const { link } = start({ connect: () => Promise.reject(new Error('no network')) })
  await vi.advanceTimersByTimeAsync(0)
  expect(link()).toBe('offline')
})

test('each failure doubles the delay, and a live connection resets it', async () => {
  const { loop, connect } = start()
  loop.closed(1006)
  await vi.advanceTimersByTimeAsync(FIRST_DELAY)
  expect(connect).toHaveBeenCalledTimes(2)
  loop.closed(1006)
  await vi.advanceTimersByTimeAsync(2 * FIRST_DELAY - 1)
  expect(connect).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(connect).toHaveBeenCalledTimes(3)
  loop.live()
  loop.closed(1006)
  await vi.advanceTimersByTimeAsync(FIRST_DELAY)
  expect(connect).toHaveBeenCalledTimes(4)
})

test('the failures before the loop count', async () => {
  const { loop, connect } = start({}, 1)
  loop.closed(1006)
  await vi.advanceTimersByTimeAsync(FIRST_DELAY)
  expect(connect).toHaveBeenCalledOnce()
  await vi.advanceTimersByTimeAsync(FIRST_DELAY)
  expect(connect).toHaveBeenCalledTimes(2)
})

test.each([new Error('no network'), new ChannelFeedError(500, 'Internal server error')])(
  'a connection that fails with "%s" is tried again',
  async error => {
    const connect = vi.fn().mockRejectedValueOnce(error).mockResolvedValue(undefined)
    const { target } = start({ connect })
    await vi.advanceTimersByTimeAsync(FIRST_DELAY)
    expect(connect).toHaveBeenCalledTimes(2)
    expect(target.onRefused).not.toHaveBeenCalled()
  },
)

test('another attempt aborts the one before it, whose rejection is ignored', async () => {
  const rejects: (() => void)[] = []
  const connect = vi.fn(
    (_signal: AbortSignal) =>
      new Promise<void>((_, reject) => void rejects.push(() => reject(new Error('late')))),
  )
  const { loop, target } = start({ connect })
  loop.reconnect()
  expect(connect.mock.calls.map(([signal]) => signal.aborted)).toEqual([true, false])
  expect(target.disconnect).toHaveBeenCalledTimes(2)
  rejects[0]?.()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(connect).toHaveBeenCalledTimes(2)
})

test.each(['online', 'offline'])('the event "%s" reconnects at once', event => {
  const { connect } = start()
  browserWindow.dispatchEvent(new Event(event))
  expect(connect).toHaveBeenCalledTimes(2)
})

test('a page that becomes visible reconnects only if its connection is dead', () => {
  const { connect, target } = start()
  page.dispatchEvent(new Event('visibilitychange'))
  expect(connect).toHaveBeenCalledOnce()
  vi.mocked(target.isHealthy).mockReturnValue(false)
  page.visibilityState = 'hidden'
  page.dispatchEvent(new Event('visibilitychange'))
  expect(connect).toHaveBeenCalledOnce()
  page.visibilityState = 'visible'
  browserWindow.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
  expect(connect).toHaveBeenCalledTimes(2)
})

test.each([
  [CLOSE_FORBIDDEN, 'forbidden', false],
  [CLOSE_DELETED, 'missing', true],
])('close code %d ends the loop as %s', async (code, refusal, deleted) => {
  const { loop, connect, target } = start()
  loop.closed(code)
  expect(target.onRefused).toHaveBeenCalledExactlyOnceWith(refusal, deleted)
  browserWindow.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(connect).toHaveBeenCalledOnce()
})

test('an access error ends the loop', async () => {
  const { target } = start({
    connect: () =>
      Promise.reject(new ChannelFeedError(401, 'Password required', { code: 'password_required' })),
  })
  await vi.advanceTimersByTimeAsync(60_000)
  expect(target.onRefused).toHaveBeenCalledExactlyOnceWith('password', false)
})

test('lost history ends the loop and hands over the failures', async () => {
  const onLostHistory = vi.fn()
  const { loop, connect } = start({ onLostHistory })
  loop.closed(CLOSE_LOST_TIMELINE)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onLostHistory).toHaveBeenCalledExactlyOnceWith(1)
  expect(connect).toHaveBeenCalledOnce()
})

test('without a callback for lost history the loop reconnects', async () => {
  const { loop, connect } = start()
  loop.closed(CLOSE_LOST_TIMELINE)
  await vi.advanceTimersByTimeAsync(0)
  expect(connect).toHaveBeenCalledTimes(2)
})

test('a stopped loop disconnects and ignores timers and events', async () => {
  const { loop, connect, target } = start()
  loop.closed(1006)
  loop.stop()
  expect(target.disconnect).toHaveBeenCalledTimes(2)
  browserWindow.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(connect).toHaveBeenCalledOnce()
})

describe('a socket that does not open although the server answers', () => {
  test('a socket that does not open although the server answers is blocked after two failures, and offline once the server does not answer either', async () => {
    const { loop, connect, link } = start()
    await vi.advanceTimersByTimeAsync(0)
    loop.closed(1006)
    expect(link()).toBe('connecting')
    await vi.advanceTimersByTimeAsync(FIRST_DELAY)
    loop.closed(1006)
    expect(link()).toBe('blocked')
    connect.mockRejectedValue(new Error('no network'))
    await vi.advanceTimersByTimeAsync(2 * FIRST_DELAY)
    expect(link()).toBe('offline')
  })

  test('a socket that does not open although the server answers is read over HTTP from the second attempt on, until it is live', async () => {
    const { loop, connect } = start()
    await vi.advanceTimersByTimeAsync(0)
    loop.closed(1006)
    await vi.advanceTimersByTimeAsync(FIRST_DELAY)
    loop.live()
    loop.closed(1006)
    await vi.advanceTimersByTimeAsync(FIRST_DELAY)
    expect(connect.mock.calls.map(([, mustRead]) => mustRead)).toEqual([false, true, false])
  })

  test('a socket that does not open although the server answers is given up after some seconds without an answer', async () => {
    const { connect, link } = start()
    await vi.advanceTimersByTimeAsync(6_000 + FIRST_DELAY)
    expect(connect).toHaveBeenCalledTimes(2)
    await vi.advanceTimersByTimeAsync(10_000)
    expect(link()).toBe('blocked')
  })
})

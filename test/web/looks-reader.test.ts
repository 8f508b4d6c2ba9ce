// When the page asks who waits for its questions.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ConnectionError } from '../../client/errors.ts'
import type { Looks } from '../../shared/looks.ts'
import { makeLooksReader } from '../../web/card/decision/looks-reader.ts'

const WAITING = { waiting: true, looked_at: '2026-11-22T14:00:00.000Z' }
const LEFT = { ...WAITING, waiting: false }

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

/** A reader, the times of its requests in seconds, and what they are answered. */
function makeScene() {
  const start = Date.now()
  const scene = {
    times: [] as number[],
    answer: async (): Promise<Looks['looks']> => ({ first: WAITING }),
    pass: (seconds: number) => vi.advanceTimersByTimeAsync(seconds * 1_000),
  }
  const reader = makeLooksReader(async () => {
    scene.times.push((Date.now() - start) / 1_000)
    return { looks: await scene.answer() }
  })
  return Object.assign(scene, reader)
}

test('the page asks at random within 2 s, then every 20 s', async () => {
  for (const chance of [0, 0.5, 0.9]) {
    vi.mocked(Math.random).mockReturnValue(chance)
    const scene = makeScene()
    const stop = scene.watch('first')
    await scene.pass(45)
    expect(scene.times).toEqual([0, 20, 40].map(time => time + 2 * chance))
    expect(scene.looks()).toEqual({ first: WAITING })
    stop()
  }
})

test('the page stops asking when no question is watched, and asks at once when one is again', async () => {
  const scene = makeScene()
  scene.watch('first')()
  await scene.pass(60)
  expect(scene.times).toEqual([])
  const stop = scene.watch('first')
  await scene.pass(1)
  stop()
  await scene.pass(60)
  expect(scene.times).toEqual([61])
  scene.watch('first')
  await scene.pass(1)
  expect(scene.times).toEqual([61, 122])
})

test('a question that the last answer covers waits for its turn, also after a short absence', async () => {
  const scene = makeScene()
  scene.answer = async () => ({ first: WAITING, second: LEFT })
  const stop = scene.watch('first')
  await scene.pass(5)
  scene.watch('first')
  stop()
  scene.watch('first')
  await scene.pass(15)
  expect(scene.times).toEqual([1])
  await scene.pass(1)
  expect(scene.times).toEqual([1, 21])
})

test('a question that came after the last request is asked about within 2 s', async () => {
  const scene = makeScene()
  scene.watch('first')
  await scene.pass(5)
  scene.watch('second')
  scene.watch('third')
  await scene.pass(1)
  expect(scene.times).toEqual([1, 6])
  await scene.pass(20)
  expect(scene.times).toEqual([1, 6, 26])
})

test('what was known before a pause of 20 s is forgotten', async () => {
  const scene = makeScene()
  const stop = scene.watch('first')
  await scene.pass(1)
  stop()
  await scene.pass(10)
  scene.watch('first')()
  expect(scene.looks()).toEqual({ first: WAITING })
  await scene.pass(10)
  scene.watch('first')
  expect(scene.looks()).toEqual({})
})

test('a failed request tells nothing, and the next one comes after 20 s', async () => {
  const scene = makeScene()
  scene.watch('first')
  await scene.pass(1)
  scene.answer = () => Promise.reject(new ConnectionError())
  await scene.pass(20)
  expect(scene.looks()).toEqual({})
  scene.answer = async () => ({ first: LEFT })
  await scene.pass(19)
  expect(scene.looks()).toEqual({})
  await scene.pass(1)
  expect(scene.looks()).toEqual({ first: LEFT })
  expect(scene.times).toEqual([1, 21, 41])
})

test('an answer that arrives after that of a later request is ignored', async () => {
  const scene = makeScene()
  let answerFirst = (_: Looks['looks']) => {}
  scene.answer = () =>
    new Promise(resolve => {
      answerFirst = resolve
    })
  scene.watch('first')
  await scene.pass(1)
  scene.answer = async () => ({ first: LEFT })
  scene.watch('second')
  await scene.pass(1)
  answerFirst({ first: WAITING })
  await scene.pass(1)
  expect(scene.looks()).toEqual({ first: LEFT })
})

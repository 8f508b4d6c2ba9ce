// SIGTERM and SIGINT, under load and during a drain.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { withKey } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { textCard } from '../support/cards.ts'
import { startServer } from '../support/server.ts'
import { until, watchSynced } from '../support/viewer.ts'
import { startScene } from './scene.ts'

test('SIGTERM under load finishes every request, closes viewers with 1001 and exits with 0 within 10 s', async () => {
  const scene = await startScene(16)
  await until(() => scene.load.cards.size > 50, 'cards are written')
  const exited = once(scene.server.process, 'exit')
  const began = performance.now()
  scene.server.process.kill('SIGTERM')
  const [code] = await exited
  expect(code).toBe(0)
  expect(performance.now() - began).toBeLessThan(9_000)
  for (const viewer of scene.viewers) expect(viewer.closes[0]).toBe(1001)
  // A connection that was never accepted is reset; its request was never read.
  const expected = ['200', '201', '503', 'ECONNREFUSED', 'ECONNRESET']
  for (const name of scene.load.met.keys()) expect(expected).toContain(name)

  await scene.server.restart()
  await until(() => scene.viewers.every(({ provider }) => provider.wsconnected), 'viewers are back')
  await scene.expectWhole()
  const texts = scene.viewers.flatMap(viewer => viewer.cards().map(({ blocks }) => blocks[0]))
  for (const block of texts) {
    if (block?.type === 'text') expect(scene.load.refused).not.toContain(block.content)
  }
})

test('a drain lasts until a second signal, and then the service stops as without one', async () => {
  const server = await startServer({ DRAIN_SECONDS: '300' })
  afterTest(server.stop)
  const { url, api_key, channel_id } = server
  const viewer = await watchSynced(url, channel_id, { token: api_key })
  const exited = once(server.process, 'exit')
  server.process.kill('SIGTERM')
  await until(async () => (await fetch(`${url}/readyz`)).status === 503, 'the drain begins')
  const pushed = await withKey(url, api_key)('POST', `/channels/${channel_id}/cards`, textCard())
  expect(pushed.status).toBe(201)
  expect(viewer.closes).toEqual([])
  server.process.kill('SIGINT')
  expect(await exited).toEqual([0, null])
  expect(viewer.closes[0]).toBe(1001)
})

test('SIGINT stops at once, whatever DRAIN_SECONDS says', async () => {
  const server = await startServer({ DRAIN_SECONDS: '300' })
  afterTest(server.stop)
  const exited = once(server.process, 'exit')
  server.process.kill('SIGINT')
  expect(await exited).toEqual([0, null])
})

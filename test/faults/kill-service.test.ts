// kill -9 of the service while it writes.
import { expect, test } from 'vitest'
import { until } from '../support/viewer.ts'
import { startScene } from './scene.ts'

test('after kill -9 of the service every acknowledged card and PATCH is kept, and viewers converge', async () => {
  const scene = await startScene()
  for (let round = 1; round <= 3; round++) {
    const before = scene.load.cards.size
    await until(() => scene.load.cards.size > before + 40, 'cards are written')
    await scene.server.kill()
    await scene.server.restart()
  }
  await until(() => scene.viewers.every(({ provider }) => provider.wsconnected), 'viewers are back')
  await scene.expectWhole()
  expect(scene.load.cards.size).toBeGreaterThan(120)
})

// kill -9 of the service while it writes, and of PostgreSQL under a service that stays up.
import { expect, test } from 'vitest'
import { until } from '../support/viewer.ts'
import { pidFileOf } from './pid-file.ts'
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

test('after kill -9 of PostgreSQL the service continues: nothing acknowledged is lost or done twice', async () => {
  const scene = await startScene()
  for (let round = 1; round <= 3; round++) {
    const before = scene.load.cards.size
    await until(() => scene.load.cards.size > before + 40, 'cards are written')
    process.kill(Number(pidFileOf(scene.server).pid), 'SIGKILL')
  }
  const before = scene.load.cards.size
  await until(() => scene.load.cards.size > before + 20, 'cards are written again')
  await scene.expectWhole()
  expect(scene.server.process.exitCode).toBeNull()
  expect([...scene.load.met.keys()].sort()).toEqual(expect.arrayContaining(['200', '201']))
})

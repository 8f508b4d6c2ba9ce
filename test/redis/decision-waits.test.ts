// A request waits for a decision on one instance while Redis goes away.
import { expect, test } from 'vitest'
import { accountAt } from '../support/account.ts'
import { ask, waitFor } from '../support/decisions.ts'
import { runInstances } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { until } from '../support/viewer.ts'
import { startRedis } from './support/redis-server.ts'

const redis = await startRedis()
const { here, there } = await runInstances({ REDIS_URL: redis.url })

test('D2: while the bus is lost, a waiting request learns of a press within a few seconds', async () => {
  const scene = await buildScene(here)
  const { card_id, path } = await ask(scene.account.key, scene.channel_id)
  const answer = waitFor(accountAt(there, scene.account).key, path)
  await until(() => there.waits.open.length === 1, 'it waits')
  await redis.stop()
  const began = performance.now()
  await scene.interact({ card_id, trigger: { type: 'button_click', button_id: 'yes' } })
  expect((await answer).body).toMatchObject({ state: 'decided', outcome: { button_id: 'yes' } })
  expect(performance.now() - began).toBeLessThan(6_000)
})

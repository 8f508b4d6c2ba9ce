// A channel of 200,000 cards is deleted while others are written. Ratios are to the same load without the deletion.
import { percentile } from '../latencies.ts'
import { goal, type Scenario, startPosting } from '../scenario.ts'
import { cardsPath } from '../target.ts'

const RATE = 200

export const deletion: Scenario = {
  name: 'deletion',
  targets: ['channel-feed'],
  rounds: 3,
  goals: [
    goal('p99_ratio', 'POST to other channels while 200,000 cards are deleted: p99, × without', '×', 2, {
      at_most: 1.2,
    }),
  ],
  async run(target, context) {
    const { running, channel_id, poster } = await startPosting(target, context, 64)
    const paths = (await running.createChannels(10)).map(cardsPath)
    await poster.call('count', { paths: [cardsPath(channel_id)], cards: context.quick ? 2_000 : 200_000 })
    const write = () => poster.call('pace', { paths, rate: RATE, seconds: context.quick ? 1 : 20 })
    await write()
    const calm = percentile((await write()).latencies, 0.99)
    const began = performance.now()
    const deleted = fetch(`http://127.0.0.1:${running.port}/api/v1/channels/${channel_id}`, {
      method: 'DELETE',
      headers: running.headers,
    }).then(({ ok }) => ({ ok, deletion_ms: performance.now() - began }))
    const [{ latencies }, { ok, deletion_ms }] = await Promise.all([write(), deleted])
    if (!ok) throw new Error('the channel was not deleted')
    const p99 = percentile(latencies, 0.99)
    return { calm_p99_ms: calm, p99_ms: p99, p99_ratio: p99 / calm, deletion_ms }
  },
}

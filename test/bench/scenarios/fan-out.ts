// A thousand viewers of one channel, 50 cards a second. Measures CPU and latency per delivery.
import { audience } from '../audience.ts'
import { percentile } from '../latencies.ts'
import { measure } from '../measure.ts'
import { goal, type Scenario, startPosting } from '../scenario.ts'
import { cardsPath } from '../target.ts'

const rate = 50

export const fanOut: Scenario = {
  name: 'fan-out',
  targets: ['broadcast', 'hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 3,
  goals: [
    goal('cpu_us_per_delivery', '1,000 viewers, 50 cards/s: server CPU per delivery', 'µs', 1, {
      at_most: 1.15,
      of: 'broadcast',
    }),
    goal('p99_ms', '1,000 viewers, 50 cards/s: p99 from POST to viewer', 'ms', 1, {
      at_most: 1.5,
      of: 'broadcast',
    }),
  ],
  async run(target, context) {
    const viewers = context.quick ? 100 : 1_000
    const seconds = context.quick ? 2 : 10
    const { running, channel_id, poster } = await startPosting(target, context)
    const paths = [cardsPath(channel_id)]
    const crowd = audience(context)
    await crowd.join(running, Array<string>(viewers).fill(channel_id))
    await poster.call('pace', { paths, rate, seconds: seconds / 5 })
    await crowd.reset()
    const { result, cost } = await measure(running.pid, async () => {
      const posted = await poster.call('pace', { paths, rate, seconds })
      return { posted, seen: await crowd.seen(posted.done, 10) }
    })
    const { posted, seen } = result
    return {
      cpu_us_per_delivery: (cost.server_cpu * 1e6) / seen.deliveries,
      p50_ms: percentile(seen.latencies, 0.5),
      p99_ms: percentile(seen.latencies, 0.99),
      post_p50_ms: percentile(posted.latencies, 0.5),
      post_p99_ms: percentile(posted.latencies, 0.99),
      cards_per_second: posted.done / posted.seconds,
      frames_per_card_and_viewer: seen.frames / seen.deliveries,
      lost: posted.done * viewers - seen.deliveries,
      noise: cost.noise,
    }
  },
}

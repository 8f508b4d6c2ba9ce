// A thousand viewers of one channel, 50 cards a second. Measures CPU and latency per delivery.
import { audience } from '../audience.ts'
import { percentile } from '../latencies.ts'
import type { Poster } from '../load/poster.ts'
import { measure } from '../measure.ts'
import type { Scenario } from '../scenario.ts'
import { cardsPath } from '../target.ts'

const rate = 50

export const fanOut: Scenario = {
  name: 'fan-out',
  targets: ['broadcast', 'hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 3,
  goals: [
    {
      figure: 'cpu_us_per_delivery',
      title: '1,000 viewers, 50 cards/s: server CPU per delivery',
      unit: 'µs',
      digits: 1,
      wants: [{ at_most: 1.15, of: 'broadcast' }],
    },
    {
      figure: 'p99_ms',
      title: '1,000 viewers, 50 cards/s: p99 from POST to viewer',
      unit: 'ms',
      digits: 1,
      wants: [{ at_most: 1.5, of: 'broadcast' }],
    },
  ],
  async run(target, context) {
    const viewers = context.quick ? 100 : 1_000
    const seconds = context.quick ? 2 : 10
    const running = await context.start(target)
    const [channelId = ''] = await running.createChannels(1)
    const paths = [cardsPath(channelId)]
    const poster = context.remote<Poster>('poster.ts')
    await poster.call('open', { port: running.port, headers: running.headers, connections: 32 })
    const crowd = audience(context)
    await crowd.join(
      running,
      Array.from({ length: viewers }, () => channelId),
    )
    await poster.call('pace', { paths, rate, seconds: seconds / 5 })
    await crowd.reset()
    const { result, cost } = await measure(running.pid, async () => {
      const posted = await poster.call('pace', { paths, rate, seconds })
      return { posted, seen: await crowd.seen(posted.cards, 10) }
    })
    const { posted, seen } = result
    return {
      cpu_us_per_delivery: (cost.server_cpu * 1e6) / seen.deliveries,
      p50_ms: percentile(seen.latencies, 0.5),
      p99_ms: percentile(seen.latencies, 0.99),
      post_p50_ms: percentile(posted.latencies, 0.5),
      post_p99_ms: percentile(posted.latencies, 0.99),
      cards_per_second: posted.cards / posted.seconds,
      frames_per_card_and_viewer: seen.frames / seen.deliveries,
      lost: posted.cards * viewers - seen.deliveries,
      noise: cost.noise,
    }
  },
}

// The highest card rate that a thousand viewers receive without falling behind: doubled until it breaks, then
// narrowed down. A rate holds if it could be posted, everybody got everything, and p99 stayed below a second.
import { audience } from '../audience.ts'
import { percentile } from '../latencies.ts'
import type { Poster } from '../load/poster.ts'
import { measure } from '../measure.ts'
import type { Scenario } from '../scenario.ts'
import { cardsPath } from '../target.ts'

const firstRate = 50
const highestRate = 12_800
const narrowings = 3

export const capacity: Scenario = {
  name: 'capacity',
  targets: ['broadcast', 'hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 2,
  goals: [
    {
      figure: 'cards_per_second',
      title: 'Highest rate that 1,000 viewers receive without falling behind',
      unit: 'cards/s',
      digits: 0,
      wants: [{ at_least: 1.5, of: 'hocuspocus' }],
    },
  ],
  async run(target, context) {
    const viewers = context.quick ? 100 : 1_000
    const seconds = context.quick ? 1 : 4
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
    let best = { cards_per_second: 0, p99_ms: Number.NaN, deliveries_per_second: 0 }

    async function holds(rate: number): Promise<boolean> {
      await crowd.reset()
      const posted = await poster.call('pace', { paths, rate, seconds })
      const seen = await crowd.seen(posted.cards, 10)
      const p99_ms = percentile(seen.latencies, 0.99)
      const reached = posted.cards / posted.seconds
      const held = reached >= rate * 0.95 && seen.fewest >= posted.cards && p99_ms < 1_000
      if (held && reached > best.cards_per_second) {
        best = { cards_per_second: reached, p99_ms, deliveries_per_second: seen.deliveries / posted.seconds }
      }
      return held
    }

    const { cost } = await measure(running.pid, async () => {
      let low = firstRate
      while (low <= highestRate && (await holds(low))) low *= 2
      let high = low
      low /= 2
      for (let i = 0; i < narrowings; i++) {
        const middle = Math.round(Math.sqrt(low * high))
        if (await holds(middle)) low = middle
        else high = middle
      }
    })
    return { ...best, noise: cost.noise }
  },
}

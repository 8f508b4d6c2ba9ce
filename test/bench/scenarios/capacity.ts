// The highest card rate that a thousand viewers receive without falling behind: doubled until it breaks, then
// narrowed down. A rate holds if it could be posted, everybody got everything, and p99 stayed below a second.
import { audience } from '../audience.ts'
import { percentile } from '../latencies.ts'
import { measure } from '../measure.ts'
import { goal, type Scenario, startPosting } from '../scenario.ts'
import { cardsPath } from '../target.ts'

const firstRate = 50
const highestRate = 12_800
const narrowings = 3

export const capacity: Scenario = {
  name: 'capacity',
  targets: ['broadcast', 'hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 2,
  goals: [
    goal('cards_per_second', 'Highest rate that 1,000 viewers receive without falling behind', 'cards/s', 0, {
      at_least: 1.5,
      of: 'hocuspocus',
    }),
  ],
  async run(target, context) {
    const viewers = context.quick ? 100 : 1_000
    const seconds = context.quick ? 1 : 4
    const { running, channel_id, poster } = await startPosting(target, context)
    const paths = [cardsPath(channel_id)]
    const crowd = audience(context)
    await crowd.join(running, Array<string>(viewers).fill(channel_id))
    let best = { cards_per_second: 0, p99_ms: Number.NaN, deliveries_per_second: 0 }

    async function holds(rate: number): Promise<boolean> {
      await crowd.reset()
      const posted = await poster.call('pace', { paths, rate, seconds })
      const seen = await crowd.seen(posted.done, 10)
      const p99_ms = percentile(seen.latencies, 0.99)
      const reached = posted.done / posted.seconds
      const held = reached >= rate * 0.95 && seen.fewest >= posted.done && p99_ms < 1_000
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

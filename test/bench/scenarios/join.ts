// A fresh viewer opens a channel with a long history: until the document is applied in a real Y.Doc.
import type { Poster } from '../load/poster.ts'
import type { Reader } from '../load/reader.ts'
import { median } from '../measure.ts'
import type { Scenario } from '../scenario.ts'
import { cardsPath, syncPath } from '../target.ts'

export const join: Scenario = {
  name: 'join',
  targets: ['hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 1,
  goals: [
    {
      figure: 'small_ms',
      title: 'Fresh join of a channel with 10,000 cards',
      unit: 'ms',
      digits: 1,
      wants: [{ at_most: 20 }],
    },
    {
      figure: 'large_ms',
      title: 'Fresh join of a channel with 50,000 cards',
      unit: 'ms',
      digits: 1,
      wants: [{ at_most: 20 }],
    },
  ],
  async run(target, context) {
    const [small, large] = context.quick ? [1_000, 3_000] : [10_000, 50_000]
    const joins = target.name === 'channel-feed' ? 15 : 3
    const running = await context.start(target)
    const { port, headers, dialect } = running
    const poster = context.remote<Poster>('poster.ts')
    await poster.call('open', { port, headers, connections: 32 })
    const reader = context.remote<Reader>('reader.ts')

    async function joinsOf(cards: number): Promise<{ received: number; applied: number; bytes: number }> {
      const [channel_id = ''] = await running.createChannels(1)
      await poster.call('count', { paths: [cardsPath(channel_id)], cards })
      const options = { port, dialect, channel_id, path: syncPath(channel_id, running) }
      const joined = []
      while (joined.length < joins) joined.push(await reader.call('join', options))
      return {
        received: median(joined.map(({ received_ms }) => received_ms)),
        applied: median(joined.map(({ applied_ms }) => applied_ms)),
        bytes: median(joined.map(({ bytes }) => bytes)),
      }
    }

    const first = await joinsOf(small)
    const second = await joinsOf(large)
    return {
      small_ms: first.applied,
      small_received_ms: first.received,
      small_bytes: first.bytes,
      large_ms: second.applied,
      large_received_ms: second.received,
      large_bytes: second.bytes,
    }
  },
}

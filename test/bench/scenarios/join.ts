// A fresh viewer opens a channel with a long history: until the document is applied in a real Y.Doc. And the first viewer
// after a restart, with cards that were just written.
import { median } from '../measure.ts'
import { goal, type Scenario, startPosting, startReader } from '../scenario.ts'
import { cardsPath } from '../target.ts'

export const join: Scenario = {
  name: 'join',
  targets: ['hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 1,
  goals: [
    goal('small_ms', 'Fresh join of a channel with 10,000 cards', 'ms', 1, { at_most: 20 }),
    goal('large_ms', 'Fresh join of a channel with 50,000 cards', 'ms', 1, { at_most: 20 }),
    goal('restarted_small_ms', 'First join after a restart, 10,000 cards just written', 'ms', 1, {
      at_most: 40,
    }),
    goal('restarted_large_ms', 'First join after a restart, 50,000 cards just written', 'ms', 1, {
      at_most: 40,
    }),
  ],
  async run(target, context) {
    const [small, large] = context.quick ? [1_000, 3_000] : [10_000, 50_000]
    const joins = target.name === 'channel-feed' ? 15 : 3
    const { running, poster } = await startPosting(target, context)
    const read = startReader(running, context)

    async function joinsOf(channel_id: string, cards: number) {
      await poster.call('count', { paths: [cardsPath(channel_id)], cards })
      const joined = []
      while (joined.length < joins) joined.push(await read(channel_id))
      return {
        received: median(joined.map(({ received_ms }) => received_ms)),
        applied: median(joined.map(({ applied_ms }) => applied_ms)),
        bytes: median(joined.map(({ bytes }) => bytes)),
      }
    }

    const [small_id = '', large_id = ''] = await running.createChannels(2)
    const first = await joinsOf(small_id, small)
    const second = await joinsOf(large_id, large)
    const sample = {
      small_ms: first.applied,
      small_received_ms: first.received,
      small_bytes: first.bytes,
      large_ms: second.applied,
      large_received_ms: second.received,
      large_bytes: second.bytes,
    }
    if (target.name !== 'channel-feed') return sample
    await running.stop()
    const restarted = await context.start(target)
    const [restarted_small, restarted_large] = [
      await read(small_id, restarted),
      await read(large_id, restarted),
    ]
    return {
      ...sample,
      restarted_small_ms: restarted_small.received_ms,
      restarted_large_ms: restarted_large.received_ms,
    }
  },
}

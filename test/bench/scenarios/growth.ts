// One badge is patched 10,000 times. Measures the document's size on the wire for a new viewer.
import { goal, type Scenario, startPosting, startReader } from '../scenario.ts'
import { cardsPath } from '../target.ts'

export const growth: Scenario = {
  name: 'growth',
  targets: ['hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 1,
  goals: [goal('kilobytes', 'Document after 10,000 patches of one badge', 'KB', 1, { at_most: 20 })],
  async run(target, context) {
    const { running, channel_id, poster } = await startPosting(target, context, 1)
    const patches = context.quick ? 500 : 10_000
    const { seconds } = await poster.call('patchBadge', { path: cardsPath(channel_id), patches })
    const { bytes } = await startReader(running, context)(channel_id)
    return { kilobytes: bytes / 1000, patches_per_second: patches / seconds }
  },
}

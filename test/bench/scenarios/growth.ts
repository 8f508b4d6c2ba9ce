// One badge is patched 10,000 times. Measures the document's size on the wire for a new viewer.
import type { Poster } from '../load/poster.ts'
import type { Reader } from '../load/reader.ts'
import type { Scenario } from '../scenario.ts'
import { cardsPath, syncPath } from '../target.ts'

export const growth: Scenario = {
  name: 'growth',
  targets: ['hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 1,
  goals: [
    {
      figure: 'kilobytes',
      title: 'Document after 10,000 patches of one badge',
      unit: 'KB',
      digits: 1,
      wants: [{ at_most: 20 }],
    },
  ],
  async run(target, context) {
    const running = await context.start(target)
    const { port, headers, dialect } = running
    const [channel_id = ''] = await running.createChannels(1)
    const poster = context.remote<Poster>('poster.ts')
    await poster.call('open', { port, headers, connections: 1 })
    const patches = context.quick ? 500 : 10_000
    const { seconds } = await poster.call('patchBadge', { path: cardsPath(channel_id), patches })
    const reader = context.remote<Reader>('reader.ts')
    const { bytes } = await reader.call('join', {
      port,
      dialect,
      channel_id,
      path: syncPath(channel_id, running),
    })
    return { kilobytes: bytes / 1000, patches_per_second: patches / seconds }
  },
}

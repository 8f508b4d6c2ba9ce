// 500 up-to-date viewers return at once, to a running server and to one that just restarted.
import { setTimeout as delay } from 'node:timers/promises'
import { audience } from '../audience.ts'
import type { Poster } from '../load/poster.ts'
import type { Reader } from '../load/reader.ts'
import { measure, median } from '../measure.ts'
import type { Scenario } from '../scenario.ts'
import { cardsPath, syncPath } from '../target.ts'

export const storm: Scenario = {
  name: 'storm',
  targets: ['hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 2,
  goals: [
    {
      figure: 'storm_ms',
      title: '500 viewers come back at once, 10,000 cards',
      unit: 'ms',
      digits: 0,
      wants: [{ at_most: 200 }],
    },
    {
      figure: 'restarted_ms',
      title: 'The same just after a restart',
      unit: 'ms',
      digits: 0,
      wants: [{ at_most: 400 }],
    },
  ],
  async run(target, context) {
    const cards = context.quick ? 1_000 : 10_000
    const viewers = context.quick ? 50 : 500
    const first = await context.start(target)
    const [channel_id = ''] = await first.createChannels(1)
    const crowd = Array.from({ length: viewers }, () => channel_id)
    const poster = context.remote<Poster>('poster.ts')
    await poster.call('open', { port: first.port, headers: first.headers, connections: 32 })
    await poster.call('count', { paths: [cardsPath(channel_id)], cards })
    const reader = context.remote<Reader>('reader.ts')
    const { port, dialect } = first
    const { state_vector } = await reader.call('join', {
      port,
      dialect,
      channel_id,
      path: syncPath(channel_id, first),
    })

    const people = audience(context)
    const times: number[] = []
    const cpu: number[] = []
    while (times.length < 3) {
      const { result, cost } = await measure(first.pid, () =>
        people.join(first, crowd, { state_vector, at_once: true }),
      )
      times.push(result)
      cpu.push(cost.server_cpu * 1000)
      await people.leave()
      await delay(500)
    }
    const sample = { storm_ms: median(times), storm_cpu_ms: median(cpu) }
    if (!target.keeps) return sample

    await first.stop()
    const second = await context.start(target)
    const { result, cost } = await measure(second.pid, () =>
      people.join(second, crowd, { state_vector, at_once: true }),
    )
    return { ...sample, restarted_ms: result, restarted_cpu_ms: cost.server_cpu * 1000 }
  },
}

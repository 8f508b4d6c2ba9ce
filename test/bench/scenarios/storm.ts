// 500 up-to-date viewers return at once, to a running server and to one that just restarted.
import { setTimeout as delay } from 'node:timers/promises'
import { audience } from '../audience.ts'
import { measure, median } from '../measure.ts'
import { goal, type Scenario, startPosting, startReader } from '../scenario.ts'
import { cardsPath, type Running } from '../target.ts'

export const storm: Scenario = {
  name: 'storm',
  targets: ['hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 2,
  goals: [
    goal('storm_ms', '500 viewers come back at once, 10,000 cards', 'ms', 0, { at_most: 200 }),
    goal('restarted_ms', 'The same just after a restart', 'ms', 0, { at_most: 400 }),
  ],
  async run(target, context) {
    const cards = context.quick ? 1_000 : 10_000
    const viewers = context.quick ? 50 : 500
    const { running: first, channel_id, poster } = await startPosting(target, context)
    const crowd = Array<string>(viewers).fill(channel_id)
    await poster.call('count', { paths: [cardsPath(channel_id)], cards })
    const { state_vector } = await startReader(first, context)(channel_id)

    const people = audience(context)
    const comeBack = (running: Running) =>
      measure(running.pid, () => people.join(running, crowd, { state_vector, at_once: true }))
    const times: number[] = []
    const cpu: number[] = []
    while (times.length < 3) {
      const { result, cost } = await comeBack(first)
      times.push(result)
      cpu.push(cost.server_cpu * 1000)
      await people.leave()
      await delay(500)
    }
    const sample = { storm_ms: median(times), storm_cpu_ms: median(cpu) }
    if (!target.keeps) return sample

    await first.stop()
    const { result, cost } = await comeBack(await context.start(target))
    return { ...sample, restarted_ms: result, restarted_cpu_ms: cost.server_cpu * 1000 }
  },
}

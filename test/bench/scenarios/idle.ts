// 1,000 stock clients watch an idle channel. Each sends its awareness every 15 s.
import { setTimeout as delay } from 'node:timers/promises'
import type { StockClients } from '../load/stock-clients.ts'
import { measure } from '../measure.ts'
import { goal, type Scenario } from '../scenario.ts'

export const idle: Scenario = {
  name: 'idle',
  targets: ['y-websocket-server', 'channel-feed'],
  rounds: 1,
  goals: [goal('percent_of_a_core', 'CPU of 1,000 idle stock clients', '% of a core', 2, { at_most: 1 })],
  async run(target, context) {
    const clients = context.quick ? 100 : 1_000
    const running = await context.start(target)
    const [channel_id = ''] = await running.createChannels(1)
    const base = `ws://127.0.0.1:${running.port}/sync`
    const params = Object.fromEntries(new URLSearchParams(running.query))
    const stock = context.remote<StockClients>('stock-clients.ts')
    await stock.call('open', { base, channel_id, params, clients })
    await delay(3_000)
    const { cost } = await measure(running.pid, () => delay(context.quick ? 16_000 : 60_000))
    const connected = await stock.call('connected', null)
    return { percent_of_a_core: (cost.server_cpu / cost.seconds) * 100, connected, noise: cost.noise }
  },
}

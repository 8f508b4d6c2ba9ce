// Resident memory after a forced collection: what 1,000 open documents of 100 cards add, each with one viewer,
// and what 1,000 idle viewers of one channel add. The server has worked before the first reading, so that
// neither counts what any work leaves behind.
import { setTimeout as delay } from 'node:timers/promises'
import { type Audience, audience } from '../audience.ts'
import { settledMemory } from '../memory.ts'
import { type Context, goal, type Scenario, startPosting } from '../scenario.ts'
import { cardsPath, type Running, type Target } from '../target.ts'

const cards = 100
const idleTime = 20_000

async function prepare(target: Target, context: Context) {
  const { running, channel_id, poster } = await startPosting(target, context)
  const people = audience(context)
  const fill = async (channelIds: string[]) => {
    await poster.call('count', { paths: channelIds.map(cardsPath), cards: cards * channelIds.length })
  }
  const warmUp = await running.createChannels(50)
  await fill([...warmUp, channel_id])
  await people.join(running, warmUp)
  await people.leave()
  return { running, people, fill, channel_id }
}

/** `fresh_`: right after the work; the others: after an idle time. */
async function added(running: Running, people: Audience, add: () => Promise<unknown>) {
  const before = await settledMemory(running)
  await add()
  const fresh = await settledMemory(running)
  await delay(idleTime)
  const after = await settledMemory(running)
  const { closed } = await people.seen(0, 0)
  return {
    megabytes: after.resident - before.resident,
    heap_megabytes: after.heap - before.heap,
    fresh_megabytes: fresh.resident - before.resident,
    fresh_heap_megabytes: fresh.heap - before.heap,
    before_megabytes: before.resident,
    closed,
  }
}

export const documentMemory: Scenario = {
  name: 'memory-documents',
  targets: ['hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 1,
  goals: [
    goal('megabytes', 'Memory of 1,000 watched documents of 100 cards', 'MB', 0, { at_most: 150 }),
    goal('fresh_megabytes', 'The same right after their cards were written', 'MB', 0),
  ],
  async run(target, context) {
    const { running, people, fill } = await prepare(target, context)
    const channelIds = await running.createChannels(context.quick ? 100 : 1_000)
    return added(running, people, async () => {
      await fill(channelIds)
      await people.join(running, channelIds)
    })
  },
}

export const viewerMemory: Scenario = {
  name: 'memory-viewers',
  targets: ['broadcast', 'hocuspocus', 'y-websocket-server', 'channel-feed'],
  rounds: 1,
  goals: [goal('megabytes', 'Memory of 1,000 idle viewers', 'MB', 0, { at_most: 15 })],
  async run(target, context) {
    const { running, people, channel_id } = await prepare(target, context)
    const crowd = Array<string>(context.quick ? 100 : 1_000).fill(channel_id)
    return added(running, people, () => people.join(running, crowd))
  },
}

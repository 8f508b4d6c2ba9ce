// 10,000 requests of the ten keys that asked wait, each for a question of its own. Then some
// of the questions are pressed, one by one.
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import { now } from '../card.ts'
import { Latencies, percentile } from '../latencies.ts'
import { type HttpConnection, httpRequest, openHttp } from '../load/http.ts'
import type { Remote } from '../load/remote.ts'
import type { Waiting } from '../load/waiting.ts'
import { measure } from '../measure.ts'
import { settledMemory } from '../memory.ts'
import { goal, type Scenario } from '../scenario.ts'
import { cardsPath, type Running } from '../target.ts'

const PER_KEY = 1_000
const PER_CHANNEL = 100
const PRESSES = 200
/** Leases are renewed every 20 s. Waits last a minute, so all that is measured happens within one. */
const IDLE_MS = 20_000

/** Until the service has taken snapshots of the questions' channels, which is no cost of waiting. */
const WRITTEN_MS = 25_000

/** Some seconds after the burst of new requests, V8 collects its garbage, once. */
const COLLECTED_MS = 12_000

const question = JSON.stringify({
  blocks: [
    { type: 'text', content: 'Roll out?' },
    {
      type: 'button',
      id: 'ask',
      buttons: [
        { id: 'yes', label: 'Yes' },
        { id: 'no', label: 'No' },
      ],
      decision: { agents: true },
    },
  ],
})
const answerToAsking = z.object({ decisions: z.tuple([z.object({ id: z.string() })]) })

export const waiters: Scenario = {
  name: 'waiters',
  targets: ['http', 'channel-feed'],
  rounds: 1,
  goals: [
    goal('megabytes', 'Memory of 10,000 requests that wait for a decision', 'MB', 0, { at_most: 100 }),
    goal('percent_of_a_core', 'CPU of 10,000 requests that wait', '% of a core', 2, { at_most: 2 }),
    goal('p99_ms', 'Press to answer while 10,000 requests wait (p99)', 'ms', 0, { at_most: 250 }),
  ],
  async run(target, context) {
    const running = await context.start(target)
    const keys = await running.createKeys(context.quick ? 1 : 10)
    const questions = await ask(running, keys)
    const requests = questions.map(({ path, headers }) => ({ path: `${path}?wait=60`, headers }))
    const waiting = context.remote<Waiting>('waiting.ts')
    if (!context.quick) await delay(WRITTEN_MS)

    const before = await settledMemory(running)
    const opening = performance.now()
    await waiting.call('open', { port: running.port, requests })
    const opened_ms = performance.now() - opening
    const after = await settledMemory(running)
    if (!context.quick) await delay(COLLECTED_MS)
    const { cost } = await measure(running.pid, () => delay(context.quick ? 2_000 : IDLE_MS))
    const { p50_ms, p99_ms } = await press(running, questions, waiting)
    const { failed, answered } = await waiting.call('answers', null)
    return {
      megabytes: after.resident - before.resident,
      heap_megabytes: after.heap - before.heap,
      percent_of_a_core: (cost.server_cpu / cost.seconds) * 100,
      database_percent: (cost.database_cpu / cost.seconds) * 100,
      p50_ms,
      p99_ms,
      opened_ms,
      failed,
      answered: answered.size,
      noise: cost.noise,
    }
  },
}

type Question = { path: string; headers: Record<string, string> }

/** Each key asks its share of the questions. */
async function ask(running: Running, keys: Question['headers'][]): Promise<Question[]> {
  const channels = await running.createChannels((keys.length * PER_KEY) / PER_CHANNEL)
  const questions: Question[] = []
  const askIn = async (channel_id: string, headers: Question['headers'], connection: HttpConnection) => {
    for (let i = 0; i < PER_CHANNEL; i++) {
      const request = httpRequest('POST', cardsPath(channel_id), headers, question)
      const { status, body } = await connection.send(request)
      if (status !== 201) throw new Error(`asking returned ${status}: ${body}`)
      const { id } = answerToAsking.parse(JSON.parse(String(body))).decisions[0]
      questions.push({ path: `/api/v1/channels/${channel_id}/decisions/${id}`, headers })
    }
  }
  const keyOf = (i: number) => keys[i % keys.length] ?? {}
  await Promise.all(channels.map(async (id, i) => askIn(id, keyOf(i), await openHttp(running.port))))
  return questions
}

/** Presses as an agent with a key that asked nothing. */
async function press(running: Running, questions: Question[], waiting: Remote<Waiting>) {
  const connection = await openHttp(running.port)
  const pressed = new Map<string, number>()
  const stride = Math.floor(questions.length / PRESSES)
  for (const { path } of questions.filter((_, i) => i % stride === 0)) {
    const request = httpRequest('POST', path, running.headers, JSON.stringify({ button_id: 'yes' }))
    pressed.set(`${path}?wait=60`, now())
    const { status, body } = await connection.send(request)
    if (status !== 201) throw new Error(`a press returned ${status}: ${body}`)
    await delay(20)
  }
  await delay(2_000)
  const { answered } = await waiting.call('answers', null)
  const latencies = new Latencies()
  for (const [path, at] of pressed) latencies.add((answered.get(path) ?? Number.MAX_SAFE_INTEGER) - at)
  return { p50_ms: percentile(latencies.entries(), 0.5), p99_ms: percentile(latencies.entries(), 0.99) }
}

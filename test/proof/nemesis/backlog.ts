// An instance's database answers nothing for a while, and thousands of requests queue their statements. Meanwhile keys are
// deleted: what was acknowledged must last, whatever became of the connections.
import { setTimeout as delay } from 'node:timers/promises'
import { createTestKey, withKey } from '../../support/account.ts'
import { callTo } from '../../support/service.ts'
import { send } from '../load/request.ts'
import { holdsWithin } from '../wait.ts'
import { type Begin, type Bound, instanceOf } from './nemesis.ts'

const REQUESTS = 2_500
const KEYS = 30
/** Every so many requests, a key is deleted. */
const EACH = Math.floor(REQUESTS / KEYS)
const ENDED_MS = 10_000
/** What was rolled back comes to life again after a while. */
const LATER_MS = 3_000

export const backlog: Begin<'backlog'> = async (stage, fault) => {
  const instance = instanceOf(stage, fault)
  const session = callTo(`${instance.url}/api`, { Cookie: stage.scene.cookie })
  const [channel_id = ''] = stage.scene.channel_ids
  const path = `/channels/${channel_id}`
  const keys: { id: string; key: string }[] = []
  for (let i = 0; i < KEYS; i++) keys.push(await createTestKey(session))
  const link = instance.links.postgres
  link.set({ kind: 'stall' })
  // A key that nobody has is one statement.
  const strangers = Array.from({ length: REQUESTS }, (_, i) => {
    const headers = { Authorization: `Bearer cf_${String(i).padStart(43, '0')}` }
    return send('GET', `${instance.url}/api/v1${path}`, { headers })
  })
  const headers = { Cookie: stage.scene.cookie }
  const deletions = keys.map(async ({ id }, i) => {
    await Promise.race([strangers[i * EACH], delay(i * 10)])
    return send('DELETE', `${instance.url}/api/api-keys/${id}`, { headers })
  })
  let answered = 0
  let crashed = 0
  let ended: { id: string; key: string }[] = []
  let alive: string[] = []
  return {
    async end() {
      link.heal()
      const statuses = (await Promise.all(strangers)).map(({ answer }) => answer?.status ?? 0)
      answered = statuses.filter(status => status === 401).length
      const deleted = await Promise.all(deletions)
      crashed = [...statuses, ...deleted.map(({ answer }) => answer?.status ?? 0)].filter(
        one => one === 500,
      ).length
      ended = keys.filter((_, i) => deleted[i]?.answer?.status === 204)
      const works = async (key: string) => {
        const calls = stage.instances.map(({ url }) => withKey(url, key)('GET', path))
        return (await Promise.all(calls)).some(({ status }) => status === 200)
      }
      const isOver = async () => (await Promise.all(ended.map(({ key }) => works(key)))).every(one => !one)
      await holdsWithin(ENDED_MS, isOver)
      await delay(LATER_MS)
      const after = await Promise.all(ended.map(async ({ id, key }) => ((await works(key)) ? [id] : [])))
      alive = after.flat()
    },
    evidence: () =>
      answered > REQUESTS / 2 && ended.length > 0
        ? `${answered} of ${REQUESTS} requests got their answer late, and ${ended.length} keys were deleted meanwhile`
        : null,
    bounds: (): Bound[] => [
      {
        promise: 'P10',
        what: `${alive.length} of ${ended.length} keys stop working that ${instance.name} deleted while its database was behind`,
        took_ms: alive.length > 0 ? null : 0,
        limit_ms: ENDED_MS,
      },
      {
        promise: 'P14',
        what: `${crashed} requests got 500 while the database of ${instance.name} was behind, and none may`,
        took_ms: crashed > 0 ? null : 0,
        limit_ms: 0,
      },
    ],
  }
}

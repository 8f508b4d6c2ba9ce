// An API key is deleted on an instance that dies with its 204. The other instance has used the key, has an open socket
// with it, and must notice.
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { createTestKey, withKey } from '../../support/account.ts'
import { callTo } from '../../support/service.ts'
import { holdsWithin, until } from '../wait.ts'
import { killAfter } from './kill.ts'
import { type Begin, type Bound, instanceOf } from './nemesis.ts'

/** P10: if the revoking instance died at once. */
const LIMIT_MS = 10_000
const WAIT_MS = 15_000

export const endedKey: Begin<'ended key'> = async (stage, fault) => {
  const doomed = instanceOf(stage, fault)
  const survivor = instanceOf(stage, { instance: (fault.instance + 1) % stage.instances.length })
  const session = callTo(`${doomed.url}/api`, { Cookie: stage.scene.cookie })
  const { id, key } = await createTestKey(session)
  const [channel_id = ''] = stage.scene.channel_ids
  const read = () => withKey(survivor.url, key)('GET', `/channels/${channel_id}`)
  await until(async () => (await read()).status === 200, 'the survivor knows the key')
  const socket = new WebSocket(`${survivor.url.replace('http', 'ws')}/sync/${channel_id}?token=${key}`)
  await once(socket, 'open')
  socket.on('error', () => {})
  let closed_at: number | null = null
  socket.once('close', () => {
    closed_at = performance.now()
  })

  const dead = killAfter(doomed, { status: 204, nth: 1 })
  // It may die with the 204 of a poster's deletion instead.
  const { status } = await session('DELETE', `/api-keys/${id}`).catch(() => ({ status: 0 }))
  await dead
  const ended_at = performance.now()
  const wait_ms = status === 204 ? WAIT_MS : 0
  const refused = await holdsWithin(wait_ms, async () => (await read()).status === 401)
  const refused_ms = refused ? Math.round(performance.now() - ended_at) : null
  await holdsWithin(wait_ms, () => closed_at !== null)
  const closed_ms = closed_at === null ? null : Math.round(closed_at - ended_at)
  socket.terminate()

  const bound = (what: string, took_ms: number | null): Bound => ({
    promise: 'P10',
    what: `${survivor.name} ${what} a key that was deleted on ${doomed.name}, which died at once`,
    took_ms,
    limit_ms: LIMIT_MS,
  })
  return {
    end: () => doomed.restart(),
    evidence: () =>
      status === 204 ? `${doomed.name} died with its 204, refused after ${refused_ms} ms` : null,
    bounds: () =>
      status === 204 ? [bound('refuses', refused_ms), bound('closes the socket of', closed_ms)] : [],
  }
}

// PostgreSQL gives no connections, ends or cancels what runs, or takes no writes.
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { ConnectionTrouble } from '../faults.ts'
import { type Begin, type Ongoing, type Stage, watchFor } from './nemesis.ts'

const DATABASE = 'feed'
const AGAIN_MS = 100
const CANCEL_MS = 5
/** More than max_connections. */
const HOLDERS = 220

export const connections: Begin<'connections'> = (stage, { how }) => TROUBLES[how](stage)

const TROUBLES: Record<ConnectionTrouble, (stage: Stage) => Promise<Ongoing>> = {
  'used up': async stage => {
    // Its own session is open from now on.
    await stage.postgres.current().admin`select 1`
    const holders = Array.from({ length: HOLDERS }, () => holdConnection(stage.postgres.current().socket_dir))
    const refused = countLines(stage, /too many clients already|remaining connection slots are reserved/)
    // The instances have their connections; they need new ones only if they lose these.
    const stop = watchFor(AGAIN_MS, () => terminateAll(stage))
    let ready = 0
    const stopLooking = watchFor(AGAIN_MS, async () => [
      await fetch(`${stage.instances[0]?.direct_url()}/readyz`).then(response => response.status),
    ])
    return {
      async end() {
        const statuses = await stopLooking()
        ready = statuses.filter(status => status === 503).length
        await stop()
        for (const holder of holders) holder.end()
      },
      evidence: () =>
        ready > 0 && refused() > 0
          ? `${refused()} connections were refused, and /readyz was 503 ${ready} times`
          : null,
    }
  },
  terminated: async stage => {
    const stop = watchFor(AGAIN_MS, () => terminateAll(stage))
    let terminated = 0
    return {
      async end() {
        terminated = (await stop()).length
      },
      evidence: () => (terminated > 0 ? `${terminated} sessions were terminated` : null),
    }
  },
  cancelled: async stage => {
    const cancelled = countLines(stage, /canceling statement due to user request/)
    const { admin } = stage.postgres.current()
    const stop = watchFor(
      CANCEL_MS,
      () => admin`
        select pg_cancel_backend(pid) from pg_stat_activity
        where datname = ${DATABASE} and state = 'active' and query ~ 'insert into document_updates'`,
    )
    return {
      end: async () => void (await stop()),
      evidence: () => (cancelled() > 0 ? `${cancelled()} commits were cancelled` : null),
    }
  },
  'read-only': async stage => {
    const declined = countLines(stage, /cannot execute .* in a read-only transaction/)
    const { admin } = stage.postgres.current()
    await admin`alter database ${admin(DATABASE)} set default_transaction_read_only = on`
    await terminateAll(stage)
    return {
      async end() {
        await admin`alter database ${admin(DATABASE)} reset default_transaction_read_only`
      },
      evidence: () => (declined() > 0 ? `${declined()} statements were declined as read-only` : null),
    }
  },
}

const terminateAll = ({ postgres }: Stage) => postgres.current().admin`
  select pg_terminate_backend(pid) from pg_stat_activity where datname = ${DATABASE}`

/** How many lines PostgreSQL has logged since this call. */
export function countLines({ postgres }: Stage, pattern: RegExp): () => number {
  const node = postgres.current()
  const count = () =>
    node
      .process()
      .output()
      .split('\n')
      .filter(line => pattern.test(line)).length
  const before = count()
  return () => count() - before
}

/** Opens a session that does nothing, again whenever PostgreSQL declines it. */
function holdConnection(socket_dir: string): { end(): void } {
  let ended = false
  let socket: Socket
  const open = () => {
    socket = connect(join(socket_dir, '.s.PGSQL.5432'))
    socket.write(startup())
    socket.resume()
    socket.on('error', () => {})
    socket.once('close', () => {
      if (!ended) setTimeout(open, AGAIN_MS * Math.random())
    })
  }
  open()
  return {
    end() {
      ended = true
      socket.destroy()
    },
  }
}

/** The first message of PostgreSQL's protocol: its length, its version, and who connects to what. */
function startup(): Buffer {
  const parameters = Buffer.from('user\0app\0database\0postgres\0\0')
  const head = Buffer.alloc(8)
  head.writeInt32BE(head.length + parameters.length)
  head.writeInt32BE(3 << 16, 4)
  return Buffer.concat([head, parameters])
}

// Tells whether a pooler stands before the database and gives each transaction another session. Such sessions keep
// neither prepared statements nor settings.
import postgres from 'postgres'
import { type ConnectTarget, STARTUP } from './connect.ts'
import { readConnectionUrl } from './connection-url.js'

/** A pooler that hands out sessions at random is overlooked in one of 300,000 starts. */
const CLIENTS = 4
const ROUNDS = 4
/** In these orders, no client gets its session back from a pooler that prefers the newest or the oldest free session. */
const BEGIN_ORDER = [1, 0, 3, 2]
/** A pooler with fewer sessions than clients lets one wait. A database doesn't. */
const WAIT_MAX_MS = 5_000

/** Returns the target with what was found. Comes after the first contact, which says if the database can't be used. */
export async function findPooler(target: ConnectTarget): Promise<ConnectTarget> {
  if (!('url' in target)) return target
  return { ...target, pooled: await sharesSessions(target.url) }
}

async function sharesSessions(url: string): Promise<boolean> {
  const { connection, ...driver } = readConnectionUrl(url)
  const clients: postgres.Sql[] = []
  let timer: NodeJS.Timeout | undefined
  try {
    for (let i = 0; i < CLIENTS; i++) {
      const client = postgres({
        ...driver,
        max: 1,
        fetch_types: false,
        onnotice: () => {},
        connection: { ...STARTUP, statement_timeout: 0, ...connection },
      })
      clients.push(client)
      await client.unsafe('select 1')
    }
    const waits = new Promise<boolean>(resolve => {
      timer = setTimeout(resolve, WAIT_MAX_MS, true)
    })
    return await Promise.race([sessionsChange(clients), waits])
  } catch {
    // It refused a startup parameter or a client, as poolers do. Everything works for them, only slower.
    return true
  } finally {
    clearTimeout(timer)
    await Promise.all(clients.map(client => client.end({ timeout: 0 })))
  }
}

/** Whether any session served two clients, or any client two sessions. All clients hold theirs at the same time. */
async function sessionsChange(clients: postgres.Sql[]): Promise<boolean> {
  const owners = new Map<unknown, postgres.Sql>()
  for (let round = 0; round < ROUNDS; round++) {
    for (const i of BEGIN_ORDER) {
      const client = clients[i]
      if (!client) continue
      await client.unsafe('begin')
      const [session] = await client.unsafe('select pg_backend_pid() as pid')
      if ((owners.get(session?.pid) ?? client) !== client) return true
      owners.set(session?.pid, client)
    }
    if (owners.size > clients.length) return true
    for (const client of clients) await client.unsafe('commit')
  }
  return false
}

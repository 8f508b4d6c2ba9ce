// A proxy in front of a PostgreSQL: a unix socket that can be cut and repointed to another server.
import { once } from 'node:events'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SOCKET = '.s.PGSQL.5432'

export type Link = Awaited<ReturnType<typeof startLink>>

export async function startLink(to: string) {
  const socket_dir = await mkdtemp(join(tmpdir(), 'channel-feed-link-'))
  const open = new Set<Socket>()
  let target = to
  let passing = true

  const server = createServer(near => {
    if (!passing) return void near.destroy()
    const far = connect(join(target, SOCKET))
    const pipe = (from: Socket, to: Socket) => {
      open.add(from)
      from.on('error', () => {})
      from.once('close', () => {
        open.delete(from)
        to.destroy()
      })
      from.pipe(to)
    }
    pipe(near, far)
    pipe(far, near)
  })
  server.listen(join(socket_dir, SOCKET))
  await once(server, 'listening')
  // A standby may run as another user.
  await chmod(socket_dir, 0o755)
  await chmod(join(socket_dir, SOCKET), 0o777)

  const reset = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    /** The folder of the proxy's socket. */
    socket_dir,
    /** Resets open connections and rejects new ones until `pass` or `repoint`. */
    cut() {
      passing = false
      reset()
    },
    pass() {
      passing = true
    },
    /** Resets open connections and sends new ones to another server. */
    repoint(other: string) {
      target = other
      passing = true
      reset()
    },
    async end() {
      reset()
      server.close()
      await rm(socket_dir, { recursive: true, force: true })
    },
  }
}

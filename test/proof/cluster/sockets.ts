// Which process has a TCP connection, from /proc (Linux only).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** Of the columns in /proc/net/tcp. */
const [LOCAL, REMOTE, INODE] = [1, 2, 9]

/** Whether the process has the connection between two ports of 127.0.0.1. */
export function hasConnection(pid: number, { from, to }: { from: number; to: number }): boolean {
  const rows = readFileSync('/proc/net/tcp', 'latin1')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
  const row = rows.find(row => row[LOCAL] === addressOf(from) && row[REMOTE] === addressOf(to))
  return row !== undefined && descriptorsOf(pid).includes(`socket:[${row[INODE]}]`)
}

const addressOf = (port: number) => `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`

/** What its descriptors are. They come and go, and so may the process. */
function descriptorsOf(pid: number): string[] {
  const folder = `/proc/${pid}/fd`
  return attempt(() => readdirSync(folder), []).map(name =>
    attempt(() => readlinkSync(`${folder}/${name}`), ''),
  )
}

function attempt<T>(read: () => T, otherwise: T): T {
  try {
    return read()
  } catch {
    return otherwise
  }
}

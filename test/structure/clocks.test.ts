// The wall clock may jump by hours. Durations are measured with `performance.now()`, which never goes back.
import { expect, test } from 'vitest'
import { sourcesOf, textOf } from './imports.ts'

/** The server's files that read the wall clock, and why. */
const READERS = new Map([
  ['server/parts.ts', 'hands it to all that stores or shows a time'],
  ['server/auth/api-keys.ts', 'a key’s expiry is a date'],
  ['server/routes/event-streams.ts', 'a key’s expiry is a date'],
  ['server/routes/open-sockets.ts', 'a key’s expiry is a date'],
  ['server/webhooks/deliver.ts', 'webhook-timestamp is a date'],
  ['server/demo.ts', 'the sample cards count toward the UTC day'],
  ['server/database/backup-restore.ts', 'a folder that is moved aside is named after the date'],
])

/** `Date.now`, `new Date()` and `Date()`; not `new Date(at)`, which reads no clock. */
const READS = /\bDate\.now\b|\bDate\(\s*\)|\bnew Date\b(?!\()/

test('the server never measures time with the wall clock', () => {
  const readers = sourcesOf('server').filter(path => READS.test(textOf(path)))
  expect(readers.sort()).toEqual([...READERS.keys()].sort())
})

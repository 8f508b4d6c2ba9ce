// What the database must be like: a start on any other ends with one line that says what to change.
import { randomUUID } from 'node:crypto'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connect } from '../../server/database/connect.ts'
import { connectFirst, startError } from '../../server/database/first-contact.ts'
import { createTestDatabase } from '../support/database.ts'

/** The URL of a database whose sessions begin with `options`. */
function urlOf(
  { socket_dir, database }: { socket_dir: string; database: string },
  options: string[] = [],
): string {
  const list = options.map(option => `-c ${option}`).join(' ')
  return `postgres://app@${encodeURIComponent(socket_dir)}/${database}?options=${encodeURIComponent(list)}`
}

async function lineOf(url: string): Promise<string> {
  const error: unknown = await connectFirst({ url }).then(
    sql => sql.end(),
    reason => reason,
  )
  return error instanceof Error ? error.message : 'no error'
}

test.each([
  ['default_transaction_read_only=on', /takes no writes: set default_transaction_read_only to off/],
  ['bytea_output=escape', /bytea_output is escape: run "alter role … set bytea_output = hex"/],
  ['standard_conforming_strings=off', /standard_conforming_strings is off/],
  ['default_transaction_isolation=serializable', /isolation is serializable: .*'read committed'/],
  ['synchronous_commit=off', /synchronous_commit is off/],
])('a database with %s is refused', async (option, line) => {
  const { target, drop } = await createTestDatabase()
  onTestFinished(drop)
  expect(await lineOf(urlOf(target, [option]))).toMatch(line)
})

test('a database with an encoding other than UTF8 is refused', async () => {
  const socket_dir = inject('socket_dir')
  const database = `latin_${randomUUID().replaceAll('-', '')}`
  const admin = connect({ socket_dir }, { max: 1 })
  await admin.unsafe(
    `create database ${database} encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0`,
  )
  onTestFinished(async () => {
    await admin.unsafe(`drop database ${database} with (force)`)
    await admin.end()
  })
  expect(await lineOf(urlOf({ socket_dir, database }))).toBe(
    `DATABASE_URL names a database with the encoding LATIN1: create one with "create database … encoding 'UTF8' template template0"`,
  )
})

test.each([
  ['28000', 'no pg_hba.conf entry for host "10.0.0.1", no encryption', /: add \?sslmode=require$/],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'self-signed certificate in certificate chain', /sslrootcert$/],
  ['ERR_TLS_CERT_ALTNAME_INVALID', "Hostname/IP does not match certificate's altnames", /sslrootcert$/],
  ['42501', 'permission denied for function pg_control_system', /lacks a right/],
  ['3F000', 'no schema has been selected to create in', /create the schema/],
  ['53300', 'too many connections for role "feed"', /limit of connections$/],
  [
    '28P01',
    'password authentication failed for user "feed"',
    /\(password authentication failed for user "feed"\)$/,
  ],
])('an error with the code %s says what helps', (code, message, line) => {
  expect(startError(Object.assign(new Error(message), { code })).message).toMatch(line)
})

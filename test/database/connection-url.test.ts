// DATABASE_URL: which forms are read, what is obeyed, ignored and refused.
import { expect, onTestFinished, test, vi } from 'vitest'
import { connect } from '../../server/database/connect.ts'
import { readConnectionUrl } from '../../server/database/connection-url.js'
import { createTestDatabase } from '../support/database.ts'

test.each([
  [
    'postgres://u:p%40ss@db.example:6000/feed',
    { user: 'u', password: 'p@ss', host: ['db.example'], port: [6000] },
  ],
  ['postgresql://u:p@ss@db.example/feed', { password: 'p@ss', host: ['db.example'], port: [5432] }],
  ['postgres://db.example/a%20b', { user: undefined, password: undefined, database: 'a b' }],
  ['postgres://[::1]:6000/feed', { host: ['::1'], port: [6000] }],
  ['postgres://one:1,two,[::1]:3/feed', { host: ['one', 'two', '::1'], port: [1, 5432, 3] }],
  ['postgres:///feed?host=one,two&port=1,2', { host: ['one', 'two'], port: [1, 2] }],
  ['postgres:///feed?host=one,two&port=7', { host: ['one', 'two'], port: [7, 7] }],
  ['postgres://db.example?dbname=feed&user=u&password=p', { database: 'feed', user: 'u', password: 'p' }],
  ['postgres://db.example/feed?hostaddr=10.0.0.1', { host: ['10.0.0.1'] }],
  ['postgres:///feed?host=/run/pg', { path: '/run/pg/.s.PGSQL.5432', ssl: false }],
  [
    'postgres://u@/feed?host=/cloudsql/project:region:name',
    { path: '/cloudsql/project:region:name/.s.PGSQL.5432' },
  ],
  ['postgres://u@%2Frun%2Fpg:6000/feed?sslmode=require', { path: '/run/pg/.s.PGSQL.6000', ssl: false }],
  [
    'postgres://h/f?options=-c%20search_path%3Dfeed&application_name=a',
    { connection: { options: '-c search_path=feed', application_name: 'a' } },
  ],
  ['postgres://h/f?connect_timeout=7&keepalives_idle=9', { connect_timeout: 7, keep_alive: 9 }],
  ['postgres://h/f?keepalives=0', { keep_alive: null }],
  ['postgres://a,b/f?target_session_attrs=read-write', { target_session_attrs: 'read-write' }],
  ['postgres://a/f?target_session_attrs=read-write', { target_session_attrs: undefined }],
  ['postgres://a,b/f?target_session_attrs=any', { target_session_attrs: undefined }],
  ['postgres://h/f?prepare=false', { prepare: false }],
  ['postgres://h:6543/f?pgbouncer=true', { prepare: false }],
  ['postgres://h/f', { prepare: true, ssl: false }],
  ['postgres://h/f?sslmode=prefer', { ssl: 'prefer' }],
  ['postgres://h/f?sslmode=allow', { ssl: 'prefer' }],
  [
    'postgres://h/f?sslmode=require&channel_binding=require',
    { ssl: expect.objectContaining({ rejectUnauthorized: false }) },
  ],
  ['postgres://h/f?sslmode=verify-ca', { ssl: expect.objectContaining({ rejectUnauthorized: true }) }],
  ['postgres://h/f?sslrootcert=system', { ssl: expect.objectContaining({ rejectUnauthorized: true }) }],
  ['postgres://h/f?sslmode=require&sslnegotiation=direct', { sslnegotiation: 'direct' }],
  ['postgres://h/f?gssencmode=prefer&client_encoding=UTF8&krbsrvname=postgres&sslsni=1', { connection: {} }],
])('%s is read', (url, options) => {
  expect(readConnectionUrl(url)).toMatchObject(options)
})

test.each([
  ['postgres://u:hunter2/x@h/f', 'port'],
  ['postgres://u:hunter2%zz@h/f', '%25'],
  ['postgres://h:99999/f', 'port'],
  ['postgres://h/f?search_path=feed', 'search_path'],
  ['postgres://h/f?schema=feed', 'schema'],
  ['postgres://h/f?require_auth=scram-sha-256', 'require_auth'],
  ['postgres://h/f?client_encoding=LATIN1', 'client_encoding'],
  ['postgres://h/f?target_session_attrs=standby', 'target_session_attrs'],
  [
    'postgres://h/f?sslmode=on',
    'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full',
  ],
  ['postgres://h/f?sslrootcert=/nowhere.crt&sslmode=verify-full', 'sslrootcert'],
  ['postgres://h/f?connect_timeout=soon', 'connect_timeout'],
  ['postgres://u:a?hunter2@h/f', '%3F'],
  ['postgres://h/f?hunter2', 'no value'],
  ['postgres://h/f?hunter2=', 'an unknown parameter'],
])('%s is refused with a line that says why', (url, reason) => {
  const read = () => readConnectionUrl(url)
  expect(read).toThrow(reason)
  expect(read).not.toThrow('hunter2')
})

test('a connection by URL works over a unix socket, with session settings and without prepared statements', async () => {
  const { target, drop } = await createTestDatabase()
  onTestFinished(drop)
  const { socket_dir, database } = target
  const sql = connect({
    url: `postgres://app@${encodeURIComponent(socket_dir)}/${database}?options=-c%20work_mem%3D5MB&prepare=false`,
  })
  onTestFinished(() => sql.end({ timeout: 1 }))
  const [row] = await sql`
    select current_database() as database, current_setting('work_mem') as memory, current_setting('TimeZone') as zone,
      (select count(*)::integer from pg_prepared_statements) as prepared, ${1}::integer as one`
  expect(row).toEqual({ database, memory: '5MB', zone: 'UTC', prepared: 0, one: 1 })
})

test('what the URL lacks comes from the environment', async () => {
  const { target, drop } = await createTestDatabase()
  onTestFinished(drop)
  vi.stubEnv('PGHOST', target.socket_dir)
  vi.stubEnv('PGUSER', 'app')
  onTestFinished(() => void vi.unstubAllEnvs())
  const sql = connect({ url: `postgres:///${target.database}` })
  onTestFinished(() => sql.end({ timeout: 1 }))
  expect(await sql`select current_user as name`).toEqual([{ name: 'app' }])
})

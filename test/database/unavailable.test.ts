// Which database errors mean that the same request may succeed later, and which leave a commit's outcome unknown.
import { expect, test } from 'vitest'
import { isConnectionLoss, isUnavailable } from '../../server/database/unavailable.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test.each([
  ...'CONNECTION_CLOSED CONNECTION_ENDED CONNECTION_DESTROYED CONNECT_TIMEOUT'.split(' '),
  ...'ECONNREFUSED ECONNRESET EAI_AGAIN ENOTFOUND'.split(' '),
  'UNSAFE_TRANSACTION', // the driver left a transaction open
  '08006', // connection_failure
  '08P01', // a pooler that refuses a client
  '53300', // too_many_connections
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
])('%s means unavailable, with an unknown outcome', code => {
  expect(isUnavailable(withCode(code))).toBe(true)
  expect(isConnectionLoss(withCode(code))).toBe(true)
})

test.each([
  '25006', // read_only_sql_transaction
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '28P01', // invalid_password
  '3D000', // invalid_catalog_name: the database is being swapped
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53000', // insufficient_resources
  '53100', // disk_full
  '53200', // out_of_memory
  '53400', // configuration_limit_exceeded
  '55000', // the database accepts no connections
  '55P03', // lock_not_available
  '57014', // query_canceled
  '58030', // io_error
])('%s means unavailable, with nothing committed', code => {
  expect(isUnavailable(withCode(code))).toBe(true)
  expect(isConnectionLoss(withCode(code))).toBe(false)
})

test.each(['22P02', '23503', '23505', '25P02', '42601', '42P01', 'CF001', 'XX000', ''])(
  '%s is a fault and not an outage',
  code => {
    expect(isUnavailable(withCode(code))).toBe(false)
    expect(isConnectionLoss(withCode(code))).toBe(false)
  },
)

test('a thrown value that is not an error is an internal error', () => {
  expect(isUnavailable('53100')).toBe(false)
  expect(isUnavailable(undefined)).toBe(false)
})

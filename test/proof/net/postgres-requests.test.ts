import { expect, test } from 'vitest'
import { PostgresRequests } from './postgres-requests.ts'

function message(type: string, body: string): Buffer {
  const size = Buffer.alloc(4)
  size.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), size, Buffer.from(body, 'latin1')])
}

const start = message('', 'the parameters of the session')
const parse = message('P', 's1\0insert into document_updates values ($1)\0\0\0')
const bind = (name: string) => message('B', `\0${name}\0\0\0`)

test('a prepared statement is found each time it runs, however its bytes are cut', () => {
  const requests = new PostgresRequests('insert into document_updates')
  expect(requests.runsIn(Buffer.concat([start, parse]))).toBe(false)
  expect(requests.runsIn(bind('s1'))).toBe(true)
  const cut = bind('s1')
  expect(requests.runsIn(cut.subarray(0, 3))).toBe(false)
  expect(requests.runsIn(cut.subarray(3))).toBe(true)
  expect(requests.runsIn(bind('other'))).toBe(false)
})

test('a name that is prepared again means the new statement', () => {
  const requests = new PostgresRequests('insert into document_updates')
  requests.runsIn(Buffer.concat([start, parse, message('P', 's1\0select 1\0\0\0')]))
  expect(requests.runsIn(bind('s1'))).toBe(false)
})

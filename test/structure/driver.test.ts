// Every connection of the server serialises values in the same way, so that the driver may do it twice (value-types.js).
import { expect, test } from 'vitest'
import { importsOf, sourcesOf, textOf } from './imports.ts'

const users = sourcesOf('server').filter(path => importsOf(path).some(({ to }) => to === 'postgres'))
const CALL = /\bpostgres\(/g
const OWN_TYPES = /\btypes: valueTypes\b/

/** Its clients send no values. */
const WITHOUT_VALUES = 'server/database/pooler.ts'

test('every pool of the driver uses the server’s types', () => {
  const callers = users.filter(path => textOf(path).match(CALL))
  expect(callers).toContain('server/database/connect.ts')
  const others = callers.filter(path => path !== WITHOUT_VALUES && !OWN_TYPES.test(textOf(path)))
  expect(others).toEqual([])
})

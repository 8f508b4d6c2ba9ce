// Every error response below /api has a known code with its status, and the API reference names the code for its operation.
// This runs beside all tests of the service: they provoke every error that they know of.
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { IncomingMessage, ServerResponse } from 'node:http'
import { afterAll, afterEach, expect } from 'vitest'
import { ERRORS } from '../../shared/error-codes.ts'
import { codesOf, operations } from './openapi.ts'

const FINISHED = 'http.server.response.finish'
const statuses = new Map<string, number>(Object.entries(ERRORS).map(([code, [status]]) => [code, status]))
const patterns = operations.map(operation => ({
  operation,
  path: new RegExp(`^/api/v1${operation.path.replace(/\{\w+\}/g, '[^/]+')}$`),
}))
const problems = new Set<string>()

function check(message: unknown): void {
  const { request, response } = Object(message)
  if (!(request instanceof IncomingMessage && response instanceof ServerResponse)) return
  const { method, url = '' } = request
  const { statusCode: status } = response
  if (status < 400 || !/^\/api(\/|$)/.test(url)) return
  // Headers that went to `writeHead` are only in the text that was sent.
  const head = '_header' in response ? String(response._header) : ''
  const code = /^error-code: (.*)\r$/im.exec(head)?.[1] ?? 'without a code'
  const path = url.split('?')[0] ?? ''
  const what = `${method} ${path} returns ${status} ${code}`
  if (statuses.get(code) !== status) problems.add(`${what}, which is no known code of this status`)
  const called = patterns.find(one => one.operation.method === method && one.path.test(path))
  if (called && !codesOf(called.operation, status).includes(code))
    problems.add(`${what}, which ${called.operation.operationId} doesn't document`)
}

subscribe(FINISHED, check)
afterEach(() => {
  const found = [...problems]
  problems.clear()
  expect(found).toEqual([])
})
afterAll(() => {
  unsubscribe(FINISHED, check)
})

// The error that each kind of response becomes.
import { expect, test } from 'vitest'
import * as errors from '../../client/errors.ts'

const json = (status: number, body: object, headers = {}) => Response.json(body, { status, headers })

test.each([
  [400, errors.InvalidRequestError],
  [401, errors.AuthError],
  [403, errors.AuthError],
  [404, errors.NotFoundError],
  [409, errors.ConflictError],
  [413, errors.InvalidRequestError],
  [418, errors.ChannelFeedError],
  [422, errors.InvalidRequestError],
  [429, errors.RateLimitError],
  [500, errors.ServerError],
])('%d has a class of its own, the status and the message', async (status, Class) => {
  const body = { error: 'name is required' }
  const error = await errors.readError(json(status, body))
  expect(error.constructor).toBe(Class)
  expect(error).toMatchObject({ status, message: 'name is required', body })
})

test.each([
  ['blocks[0].label', 'blocks[0].label'],
  ['Grund f%C3%BCr 5 %25', 'Grund für 5 %'],
  ['5 %', '5 %'],
])('the headers are the code and the field: %s becomes %s', async (sent, field) => {
  const headers = { 'Error-Code': 'field_required', 'Error-Field': sent }
  const error = await errors.readError(json(400, { error: 'message' }, headers))
  expect([error.code, error.field]).toEqual(['field_required', field])
})

test('a response without the headers has no code and no field', async () => {
  const error = await errors.readError(json(400, { error: 'message', code: 'a field of the body' }))
  expect([error.code, error.field]).toEqual([undefined, undefined])
})

test.each([502, 503, 504])('%d counts as no connection', async status => {
  const error = await errors.readError(new Response('<h1>Bad gateway</h1>', { status }))
  expect(error).toBeInstanceOf(errors.ConnectionError)
  expect(error.status).toBeNull()
})

test.each([
  ['unavailable', errors.ConnectionError],
  ['sign_on_unavailable', errors.ServerError],
])('a 503 of the service with the code %s has the right class', async (code, Class) => {
  const error = await errors.readError(json(503, { error: 'message' }, { 'Error-Code': code }))
  expect(error.constructor).toBe(Class)
})

test('a response without JSON has a message that says what to do', async () => {
  const error = await errors.readError(new Response('oops', { status: 500 }))
  expect(error.message).toBe('The server returned 500. Try again later.')
})

test.each([
  ['30', 30],
  [new Date(Date.now() - 60_000).toUTCString(), 0],
  ['soon', undefined],
])('Retry-After %s becomes retry_after %s', async (header, seconds) => {
  const error = await errors.readError(json(429, { error: 'Slow down' }, { 'Retry-After': header }))
  expect(error.retry_after).toBe(seconds)
})

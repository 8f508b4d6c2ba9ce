// The API reference's view of the OpenAPI document: operations with their parts, requests, and schemas in words.
import { expect, test } from 'vitest'
import { requestOf } from '../../web/reference/api-request.ts'
import { groupsOf, type OpenApi, operationAt, type Parameter } from '../../web/reference/openapi.ts'
import { limitsText, objectsIn, typeText } from '../../web/reference/schema-text.ts'
import { json } from '../support/openapi.ts'

const document: OpenApi = Object(json)
const groups = groupsOf(document)
const operation = (id: string) => {
  const found = operationAt(groups, `#${id}`)
  if (!found) throw new Error(`${id} is missing`)
  return found
}
const request = (id: string, values: Record<string, string> = {}, key = '', body: unknown = undefined) =>
  requestOf(operation(id), {
    origin: 'https://feed.example',
    valueFor: ({ name }: Parameter) => values[name] ?? '',
    body,
    key,
  })

test('every parameter and response of the document has its description', () => {
  for (const { operations } of groups)
    for (const { parameters, responses } of operations)
      for (const { description } of [...parameters, ...responses]) expect(description).not.toBe('')
  expect(operation('createCard').parameters.map(({ name }) => name)).toEqual(['channelId', 'Idempotency-Key'])
  expect(operation('createCard').responses.map(({ status }) => status)).toContain('503')
})

test('a fragment names an operation, also in the form of earlier versions', () => {
  expect(operationAt(groups, '#/Cards/createCard')).toBe(operationAt(groups, '#createCard'))
  expect(operationAt(groups, '#/webhooks/receiveInteraction')?.path).toBeNull()
  for (const none of ['', '#', '#nothing', '#/']) expect(operationAt(groups, none)).toBeUndefined()
})

test('values go to the path, the query and the headers, encoded', () => {
  const made = request('getCardDecisionByKey', { channelId: 'c', key: `a/b 'c'`, wait: '5' })
  expect(made.url).toBe('https://feed.example/api/v1/channels/c/cards/by-key/a%2Fb%20%27c%27/decision?wait=5')
  expect(request('createCard', { 'Idempotency-Key': 'once' }).headers).toEqual({ 'Idempotency-Key': 'once' })
})

test('an id without a value is a placeholder', () => {
  expect(request('getCard').url).toBe('https://feed.example/api/v1/channels/CHANNEL_ID/cards/CARD_ID')
})

test('the key is the given one, else the environment’s, or none if the operation needs none', () => {
  expect(request('listWorkspaces', {}, 'cf_1').key).toBe('cf_1')
  expect(request('listWorkspaces').key).toBeUndefined()
  expect(request('getOpenApi', {}, 'cf_1').key).toBeNull()
})

test('the request knows what it returns', () => {
  const returns = ['getCard', 'deleteCard', 'streamEvents'].map(id => request(id).returns)
  expect(returns).toEqual(['json', 'nothing', 'stream'])
})

test.each([
  [{ type: 'string', format: 'uuid' }, 'string (uuid)', ''],
  [{ $ref: '#/components/schemas/Card' }, 'Card', ''],
  [{ anyOf: [{ type: 'string', maxLength: 9 }, { type: 'null' }] }, 'string | null', ''],
  [{ type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 3 }, 'array of string', '1 to 3 items'],
  [{ type: 'integer', minimum: 0, maximum: 60, default: 0 }, 'integer', '0 to 60, default: 0'],
  [{ type: 'string', minLength: 1 }, 'string', 'at least 1 characters'],
  [{ enum: ['a', 'b'] }, '"a" | "b"', ''],
])('the type %j is described in words', (schema, type, limits) => {
  expect([typeText(schema), limitsText(schema)]).toEqual([type, limits])
})

test('a field lists the objects it can contain', () => {
  const schema = {
    type: 'array',
    items: { anyOf: [{ type: 'string' }, { properties: { a: {} } }, { $ref: '#/x/Y' }] },
  }
  expect(objectsIn(schema)).toEqual([{ properties: { a: {} } }, { $ref: '#/x/Y' }])
})

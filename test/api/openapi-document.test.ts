// The OpenAPI document is valid, describes the mounted routes, and its examples match its schemas.
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { ERRORS } from '../../shared/error-codes.ts'
import { codesOf, json, openapi, operations, problemsOf } from '../support/openapi.ts'
import { runService } from '../support/running.ts'

const service = await runService()

describe('the document', () => {
  test('the OpenAPI document is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(Object(json)))).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
  })

  test('the OpenAPI document is served without a key, to any origin', async () => {
    const response = await fetch(`${service.url}/api/v1/openapi.json`, {
      headers: { Origin: 'https://a.example' },
    })
    expect(response.status).toBe(200)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await response.json()).toEqual(json)
  })

  test('the OpenAPI document describes exactly the routes below /api/v1', () => {
    const mounted = service.routes
      .filter(({ method, path }) => method !== 'ALL' && path.startsWith('/api/v1/'))
      .map(({ method, path }) => `${method} ${path.slice('/api/v1'.length).replace(/:(\w+)/g, '{$1}')}`)
    const described = operations.map(({ method, path }) => `${method} ${path}`)
    expect(described.sort()).toEqual([...new Set(mounted)].sort())
  })

  test('the OpenAPI document names every operation once', () => {
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
  })

  test('the OpenAPI document has no empty schema', () => {
    const empty = JSON.stringify(openapi).match(/"(schema|items|additionalProperties)":\{\}/g)
    expect(empty).toBeNull()
    const unsaid = Object.entries(openapi.components.schemas).filter(
      ([, schema]) => !/"(type|oneOf|anyOf)":/.test(JSON.stringify(schema)),
    )
    expect(unsaid).toEqual([])
  })

  test('the OpenAPI document defines exactly the parameters and headers that it uses', () => {
    const text = JSON.stringify(json)
    for (const [kind, parts] of Object.entries(openapi.components)) {
      if (kind === 'schemas') continue
      for (const name of Object.keys(parts)) expect(text).toContain(`"#/components/${kind}/${name}"`)
    }
    for (const [, kind = '', name = ''] of text.matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)) {
      expect(Object.keys(new Map(Object.entries(openapi.components)).get(kind) ?? {})).toContain(name)
    }
  })
})

test('the document has every code, and each error response lists its own', () => {
  expect(openapi.components.schemas.ErrorCode).toMatchObject({ type: 'string', enum: Object.keys(ERRORS) })
  const without = operations.flatMap(operation =>
    operation.statuses
      .filter(status => status >= 400 && codesOf(operation, status).length === 0)
      .map(status => `${operation.operationId} ${status}`),
  )
  expect(without).toEqual([])
})

test('the refusals of a decision are documented where an agent gets them', () => {
  const codes = operations.flatMap(({ operationId, responses }) =>
    Object.entries(responses).flatMap(([status, response]) => {
      const { examples = {} } = ('content' in response && response.content?.['application/json']) || {}
      return Object.values(examples).flatMap(({ value }) =>
        typeof value === 'object' && value && 'code' in value ? `${operationId} ${status} ${value.code}` : [],
      )
    }),
  )
  expect(codes.sort()).toEqual([
    'createCard 409 key_in_use',
    'decide 403 agents',
    'decide 403 own_question',
    'decide 409 already_decided',
    'decide 409 asked_again',
    'decide 409 cancelled',
    'decide 409 card_changed',
    'decide 409 expired',
    'patchCard 409 ended',
    'patchCard 409 key_in_use',
    'patchCardByKey 409 ended',
    'patchCardByKey 409 key_in_use',
    'putCardByKey 409 asked_again',
    'putCardByKey 409 ended',
    'putCardByKey 409 key_in_use',
    'withdrawDecision 409 already_decided',
  ])
})

describe('examples', () => {
  const contents = [
    ...operations.flatMap(({ path, method, requestBody, responses }) => {
      const at = ['paths', path, method.toLowerCase()]
      return [
        { at: [...at, 'requestBody'], content: requestBody?.content, kind: 'request' as const },
        ...Object.entries(responses).flatMap(([status, response]) =>
          '$ref' in response
            ? []
            : [{ at: [...at, 'responses', status], content: response.content, kind: 'response' as const }],
        ),
      ]
    }),
    ...Object.entries(openapi.webhooks).map(([name, { post }]) => ({
      at: ['webhooks', name, 'post', 'requestBody'],
      content: post.requestBody?.content,
      kind: 'response' as const,
    })),
  ]
  const cases = contents.flatMap(({ at, content, kind }) =>
    Object.entries(content ?? {}).flatMap(([type, { examples }]) =>
      Object.entries(examples ?? {}).map(([name, { value }]) => ({
        name: [...at, name].join(' '),
        schema: [...at, 'content', type, 'schema'],
        value,
        kind,
      })),
    ),
  )

  test.each(cases)('the example $name matches its schema', ({ schema, value, kind }) => {
    expect(problemsOf(value, schema, kind)).toEqual([])
  })

  test('every body has an example', () => {
    const bodies = contents.flatMap(({ content }) => Object.entries(content ?? {}))
    const without = bodies.filter(([, { examples }]) => examples && Object.keys(examples).length === 0)
    expect(without).toEqual([])
  })

  test.each(Object.entries(openapi.components.headers))(
    'the examples of the header %s match their schema',
    (name, { example }) => {
      expect(problemsOf(example, ['components', 'headers', name, 'schema'], 'response')).toEqual([])
    },
  )
})

test('/api/v1/docs leads to the page of the app, without a key', async () => {
  const response = await fetch(`${service.url}/api/v1/docs`, { redirect: 'manual' })
  expect([response.status, response.headers.get('Location')]).toEqual([302, '/docs'])
})

// This description itself.
import type { Operation, Tag } from './operation.ts'

export const referenceTag: Tag = { name: 'Reference', description: 'This description. No key is asked for.' }

export const referenceOperations: Operation[] = [
  {
    method: 'get',
    path: '/openapi.json',
    operationId: 'getOpenApi',
    tag: referenceTag.name,
    summary: 'Read the description of this API',
    need: null,
    parameters: ['If-None-Match'],
    answers: {
      200: {
        description: 'OpenAPI 3.1.',
        other: {
          type: 'application/json',
          schema: { type: 'object', required: ['openapi'] },
          example: { openapi: '3.1.0' },
        },
        headers: ['ETag'],
      },
      304: { description: 'It is still the same.', headers: ['ETag'] },
    },
    refusals: [],
  },
  {
    method: 'get',
    path: '/docs',
    operationId: 'getDocs',
    tag: referenceTag.name,
    summary: 'Open the reference page',
    need: null,
    parameters: [],
    answers: {
      200: {
        description: 'A page.',
        other: { type: 'text/html', schema: { type: 'string' }, example: '<!doctype html>' },
      },
    },
    refusals: [],
  },
]

// The OpenAPI document of /api/v1, built from the operations that the routes describe.
import type { Scope } from '../../shared/api-key.ts'
import { decisionError, errorBody } from '../../shared/error.ts'
import { CARD_KEY_MAX } from '../../shared/limits.ts'
import { type ApiError, apiError, invalid, notFound, unauthorized, unavailable } from '../errors.ts'
import { version } from '../project.ts'
import { dailyBytesReached, dailyLimitReached } from '../rate-limit.ts'
import { attributeOperations } from './attributes.ts'
import { cardOperations } from './card.ts'
import { cardListOperations } from './cards.ts'
import { channelOperations } from './channels.ts'
import { decide } from './decide.ts'
import { decisionReadOperations } from './decisions.ts'
import { streamEvents } from './events.ts'
import { CREATED_AT } from './examples.ts'
import { headerActionOperations } from './header-actions.ts'
import { listInteractionsOperation } from './interactions.ts'
import { introduction } from './openapi-introduction.ts'
import { errorCodeHeader, errorsOf, headers, isHeaderName, meanings, parameters } from './openapi-parts.ts'
import { type Io, type Translated, translate } from './openapi-schemas.ts'
import { webhookContent, webhookDescription, webhookHeaders } from './openapi-webhook.ts'
import { type ApiOperation, type BodyDescription, operation, type ResponseDescription } from './operation.ts'
import { listWorkspacesOperation } from './workspaces.ts'

export const getDocument = operation('getOpenApi', 'get', '/openapi.json', {
  summary: 'Read the description of this API',
  need: null,
  parameters: ['If-None-Match'],
  responses: {
    200: {
      description: 'OpenAPI 3.1.',
      other: {
        type: 'application/json',
        schema: { type: 'object', required: ['openapi'] },
        example: { openapi: '3.1.0' },
      },
      headers: ['ETag'],
    },
    304: { description: 'It has not changed.', headers: ['ETag'] },
  },
})

export const getPage = operation('getDocs', 'get', '/docs', {
  summary: 'Open the reference page',
  need: null,
  responses: { 302: { description: 'It is the app’s page `/docs`.' } },
})

const groups: { name: string; description: string; operations: ApiOperation[] }[] = [
  {
    name: 'Cards',
    description:
      'A card is an ordered array of blocks with a status. Viewers of the channel see every change at once.',
    operations: [...cardListOperations, ...cardOperations],
  },
  {
    name: 'Decisions',
    description:
      'A card asks a question with `decision` on a block of buttons. The first press decides, and silence never does.',
    operations: [...decisionReadOperations, decide],
  },
  {
    name: 'Channels',
    description: 'A channel is a feed of cards. Its page is `/c/{channelId}`.',
    operations: channelOperations,
  },
  {
    name: 'Header actions',
    description: 'Buttons beside the channel’s name. Change, order and delete them in the dashboard.',
    operations: headerActionOperations,
  },
  {
    name: 'Attributes',
    description: 'Your own strings, by key. A workspace shows them beside the channel, or filters by them.',
    operations: attributeOperations,
  },
  {
    name: 'Interactions and events',
    description:
      'What people do in an interactive channel. A webhook receives them at once; without a public address, poll this list or listen to the event stream.',
    operations: [listInteractionsOperation, streamEvents],
  },
  {
    name: 'Workspaces',
    description: 'Workspaces group channels. Create and change them in the dashboard.',
    operations: [listWorkspacesOperation],
  },
  {
    name: 'Reference',
    description: 'This description. It needs no key.',
    operations: [getDocument, getPage],
  },
]

const anyTime = [apiError('internal_error'), unavailable()]

export function buildDocument() {
  const operations = groups.flatMap(({ operations }) => operations)
  const responses = operations.flatMap(({ responses }) => Object.values(responses))
  const schemas = translate({
    input: operations.flatMap(({ body }) => (body ? [body.documented ?? body.schema] : [])),
    output: [
      ...responses.flatMap(({ schema }) => (schema ? [schema] : [])),
      webhookContent.schema,
      errorBody,
      decisionError,
    ],
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Channel Feed',
      version,
      summary: 'Live feeds that automations write to and people act on.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This server' }],
    tags: groups.map(({ name, description }) => ({ name, description })),
    paths: pathsOf(schemas),
    webhooks: { interaction: { post: webhookOf(schemas) } },
    components: {
      schemas: schemas.components,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, rest]) => [name, { name, ...rest }]),
      ),
      headers,
      responses: Object.fromEntries(
        anyTime.map(error => [nameOf(error.message), errorResponse([error], schemas)]),
      ),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key from the dashboard, `cf_…`.' },
      },
    },
  }
}

function pathsOf(schemas: Translated) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const { name: tag, operations } of groups) {
    for (const operation of operations) {
      const path = operation.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [operation.method]: describe(operation, tag, schemas) }
    }
  }
  return paths
}

function describe(operation: ApiOperation, tag: string, schemas: Translated) {
  const { id, summary, description = '', need, body, idempotent, limit } = operation
  const responses: Record<string, unknown> = {}
  for (const [status, response] of Object.entries(operation.responses)) {
    const counted = limit !== undefined && status === '201'
    const headers = [
      ...(counted ? ['RateLimit-Policy', 'RateLimit'] : []),
      ...(idempotent ? ['Idempotent-Replayed'] : []),
      ...(response.headers ?? []),
    ]
    responses[status] = successResponse(response, headers, schemas)
  }
  const errors = errorsOfOperation(operation)
  for (const { status } of errors)
    responses[status] ??= errorResponse(
      errors.filter(error => error.status === status),
      schemas,
    )
  if (need !== null) {
    for (const { status, message } of anyTime)
      responses[status] = { $ref: `#/components/responses/${nameOf(message)}` }
  }
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: need === null ? description : `${description}\n\n${scopeOf(need)}`.trim(),
    security: need === null ? [] : [{ apiKey: [need] }],
    parameters: parametersOf(operation).map(name => ({ $ref: `#/components/parameters/${name}` })),
    ...(body && { requestBody: { required: true, content: contentOf(body, 'input', schemas) } }),
    responses,
  }
}

function parametersOf({ path, parameters = [], idempotent }: ApiOperation): string[] {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  return [...inPath, ...parameters, ...(idempotent ? ['Idempotency-Key'] : [])]
}

function errorsOfOperation(operation: ApiOperation): ApiError[] {
  const { path, need, parameters = [], body, idempotent, limit, errors = [] } = operation
  const named = path.includes(':cardId') || path.includes(':key')
  return [
    ...(path.includes(':channelId') ? errorsOf.channel : need === null ? [] : [unauthorized()]),
    ...(named ? [notFound('Card')] : []),
    ...(/\/decision$|:decisionId/.test(path) ? [notFound('Decision')] : []),
    ...(path.includes(':key')
      ? [invalid('key', `must have 1 to ${CARD_KEY_MAX} characters`), invalid('key', 'must not be . or ..')]
      : []),
    ...errors,
    ...(parameters.includes('cursor') ? errorsOf.paged : []),
    ...(body ? errorsOf.body : []),
    ...(idempotent ? errorsOf.idempotent : []),
    ...(limit ? [dailyLimitReached(limit, limit === 'cards' ? 200 : 50, Date.parse(CREATED_AT))] : []),
    ...(body && /\/(cards|decisions)/.test(path) ? [dailyBytesReached(Date.parse(CREATED_AT))] : []),
  ]
}

const scopeOf = (need: Scope) =>
  need === 'full' ? 'Needs a key with the scope `full`.' : `Needs a key with the scope \`${need}\` or more.`

function successResponse(response: ResponseDescription, headers: string[], schemas: Translated) {
  const { description, schema, examples = {}, other } = response
  return {
    description,
    ...(headers.length > 0 && { headers: headerRefs(headers) }),
    ...(schema && { content: contentOf({ schema, examples }, 'output', schemas) }),
    ...(other && { content: { [other.type]: { schema: other.schema, example: other.example } } }),
  }
}

function errorResponse(errors: ApiError[], schemas: Translated) {
  const names = [...new Set(errors.flatMap(error => Object.keys(error.headers)))].filter(isHeaderName)
  const examples = errors.map(({ message, body }) => [message, body])
  const schema = errors.some(({ body }) => 'code' in body) ? decisionError : errorBody
  return {
    description: meanings[errors[0]?.status ?? 500],
    headers: { 'Error-Code': errorCodeHeader(errors.map(({ code }) => code)), ...headerRefs(names) },
    content: contentOf({ schema, examples: Object.fromEntries(examples) }, 'output', schemas),
  }
}

function contentOf({ schema, documented = schema, examples }: BodyDescription, io: Io, schemas: Translated) {
  const named = Object.entries(examples).map(([summary, value]) => [nameOf(summary), { summary, value }])
  return { 'application/json': { schema: schemas.of(documented, io), examples: Object.fromEntries(named) } }
}

const headerRefs = (names: string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

/** `Card not found` → `card-not-found`. */
const nameOf = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function webhookOf(schemas: Translated) {
  return {
    operationId: 'receiveInteraction',
    summary: 'Someone interacted',
    description: webhookDescription,
    security: [],
    parameters: webhookHeaders.map(header => ({ ...header, in: 'header', required: true })),
    requestBody: { required: true, content: contentOf(webhookContent, 'output', schemas) },
    responses: {
      '2XX': { description: 'Received.' },
      default: { description: 'Logged as failed; there is no automatic retry.' },
    },
  }
}

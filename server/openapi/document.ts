// The OpenAPI document of /api/v1, put together from the descriptions beside this file.
import type { Need } from '../auth/access.ts'
import { type ApiError, unavailable } from '../errors.ts'
import { attributeOperations, attributesTag } from './attributes.ts'
import { cardOperations, cardsTag } from './cards.ts'
import { channelOperations, channelsTag } from './channels.ts'
import { headerActionOperations, headerActionsTag } from './header-actions.ts'
import { headers, isHeaderName } from './headers.ts'
import { interactionOperations, interactionsTag } from './interactions.ts'
import { introduction } from './introduction.ts'
import type { Answer, Content, Operation } from './operation.ts'
import { parameters } from './parameters.ts'
import { referenceOperations, referenceTag } from './reference.ts'
import { meanings, refusal } from './refusals.ts'
import { type Io, type Translated, translate } from './schemas.ts'
import { version } from './version.ts'
import { webhookContent, webhookDescription, webhookHeaders } from './webhooks.ts'
import { workspaceOperations, workspacesTag } from './workspaces.ts'

export const operations: Operation[] = [
  ...cardOperations,
  ...channelOperations,
  ...headerActionOperations,
  ...attributeOperations,
  ...interactionOperations,
  ...workspaceOperations,
  ...referenceOperations,
]

const internal = { status: 500, message: 'Internal server error', headers: {} }
type Refusal = Pick<ApiError, 'message' | 'headers'> & { status: number }

export function buildDocument() {
  const contents = operations.flatMap(({ answers }) => Object.values(answers).map(({ content }) => content))
  const schemas = translate({
    input: operations.flatMap(({ body }) => (body ? [body.schema] : [])),
    output: [
      ...contents.flatMap(content => (content ? [content.schema] : [])),
      webhookContent.schema,
      refusal,
    ],
  })
  return {
    openapi: '3.1.0',
    info: {
      title: 'Channel Feed',
      version,
      summary: 'Live feeds that automations write to, and people act on.',
      description: introduction,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This server' }],
    tags: [
      cardsTag,
      channelsTag,
      headerActionsTag,
      attributesTag,
      interactionsTag,
      workspacesTag,
      referenceTag,
    ],
    paths: pathsOf(schemas),
    webhooks: { interaction: { post: webhookOf(schemas) } },
    components: {
      schemas: schemas.components,
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([name, rest]) => [name, { name, ...rest }]),
      ),
      headers,
      responses: Object.fromEntries(
        [internal, unavailable()].map(one => [nameOf(one), refusalOf([one], schemas)]),
      ),
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key from the dashboard, `cf_…`.' },
      },
    },
  }
}

function pathsOf(schemas: Translated) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: operationOf(operation, schemas) }
  }
  return paths
}

function operationOf(operation: Operation, schemas: Translated) {
  const { operationId, tag, summary, description = '', need, body, answers, refusals } = operation
  const responses: Record<string, unknown> = {}
  for (const [status, answer] of Object.entries(answers)) responses[status] = answerOf(answer, schemas)
  for (const status of [...new Set(refusals.map(one => one.status))].sort()) {
    responses[status] = refusalOf(
      refusals.filter(one => one.status === status),
      schemas,
    )
  }
  if (need !== null) {
    for (const one of [internal, unavailable()])
      responses[one.status] = { $ref: `#/components/responses/${nameOf(one)}` }
  }
  return {
    operationId,
    tags: [tag],
    summary,
    description: need === null ? description : `${description}\n\n${scopeOf(need)}`.trim(),
    security: need === null ? [] : [{ apiKey: [need] }],
    parameters: operation.parameters.map(name => ({ $ref: `#/components/parameters/${name}` })),
    ...(body && { requestBody: { required: true, content: contentOf(body, 'input', schemas) } }),
    responses,
  }
}

const scopeOf = (need: Need) =>
  need === 'full' ? 'Needs a key with the scope `full`.' : `Needs a key with the scope \`${need}\` or more.`

function answerOf({ description, content, other, headers = [] }: Answer, schemas: Translated) {
  return {
    description,
    ...(headers.length > 0 && { headers: headerRefs(headers) }),
    ...(content && { content: contentOf(content, 'output', schemas) }),
    ...(other && { content: { [other.type]: { schema: other.schema, example: other.example } } }),
  }
}

/** Refusals of one status. */
function refusalOf(refusals: Refusal[], schemas: Translated) {
  const names = [...new Set(refusals.flatMap(one => Object.keys(one.headers)))].filter(isHeaderName)
  const examples = refusals.map(one => [nameOf(one), { summary: one.message, value: { error: one.message } }])
  return {
    description: meanings[refusals[0]?.status ?? 500],
    ...(names.length > 0 && { headers: headerRefs(names) }),
    content: {
      'application/json': { schema: schemas.of(refusal, 'output'), examples: Object.fromEntries(examples) },
    },
  }
}

function contentOf({ schema, examples }: Content, io: Io, schemas: Translated) {
  return { 'application/json': { schema: schemas.of(schema, io), examples } }
}

const headerRefs = (names: string[]) =>
  Object.fromEntries(names.map(name => [name, { $ref: `#/components/headers/${name}` }]))

/** `Card not found` → `card-not-found`. */
const nameOf = ({ message }: { message: string }) =>
  message
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

function webhookOf(schemas: Translated) {
  return {
    operationId: 'receiveInteraction',
    summary: 'Someone acted',
    description: webhookDescription,
    security: [],
    parameters: webhookHeaders.map(header => ({ ...header, in: 'header', required: true })),
    requestBody: { required: true, content: contentOf(webhookContent, 'output', schemas) },
    responses: {
      '2XX': { description: 'Received.' },
      default: { description: 'Logged as failed; not tried again.' },
    },
  }
}

// The OpenAPI document, and checks of values and responses against it.
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { z } from 'zod'
import { buildDocument } from '../../server/routes/openapi.ts'

const reference = z.object({ $ref: z.string() })
const examples = z.record(z.string(), z.object({ summary: z.string(), value: z.unknown() }))
const content = z.record(z.string(), z.object({ schema: z.unknown(), examples: examples.optional() }))
/** A header of one response. Others are shared by many. */
const inlineHeader = z.object({ schema: z.object({ enum: z.array(z.string()) }), required: z.literal(true) })
const response = z.object({
  description: z.string(),
  headers: z.record(z.string(), z.union([reference, inlineHeader])).optional(),
  content: content.optional(),
})
const operationShape = z.object({
  operationId: z.string(),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  parameters: z.array(z.union([reference, z.object({ name: z.string() })])),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([reference, response])),
})
const header = z.object({ schema: z.unknown(), example: z.string(), required: z.boolean().optional() })
const openapiShape = z.object({
  paths: z.record(z.string(), z.record(z.string(), operationShape)),
  webhooks: z.record(z.string(), z.object({ post: operationShape })),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    headers: z.record(z.string(), header),
    parameters: z.record(z.string(), z.object({ name: z.string() })),
    responses: z.record(z.string(), response),
  }),
})

export type DocumentedOperation = z.output<typeof operationShape> & {
  method: string
  path: string
  /** The scope that a key needs; null: callable without a key. */
  need: string | null
  statuses: number[]
}

/** As `GET /api/v1/openapi.json` returns it. */
export const json: unknown = JSON.parse(JSON.stringify(buildDocument()))
export const openapi = openapiShape.parse(json)

export const operations: DocumentedOperation[] = Object.entries(openapi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    ...operation,
    method: method.toUpperCase(),
    path,
    need: operation.security[0]?.apiKey?.[0] ?? null,
    statuses: Object.keys(operation.responses).map(Number),
  })),
)

const requestSchemas = schemasFor(json)
/** Published response schemas allow unknown fields, for later releases. Here, a field that isn't described is a problem. */
const responseSchemas = schemasFor(forbidUnknown(json))

export function problemsOf(value: unknown, pointer: string[], kind: 'request' | 'response'): string[] {
  const fragment = pointer.map(part => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')))
  const ajv = kind === 'request' ? requestSchemas : responseSchemas
  const validate = ajv.getSchema(`document#/${fragment.join('/')}`)
  if (!validate) return [`no schema at ${pointer.join(' ')}`]
  return validate(value) === true ? [] : [`${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`]
}

/** Checks a response's status, type, body and headers. Returns the problems. */
export async function problemsOfResponse(
  operation: DocumentedOperation,
  response: Response,
): Promise<string[]> {
  const { path, method } = operation
  const status = String(response.status)
  const found = operation.responses[status]
  if (!found) return [`${status} is not documented`]
  const pointer =
    '$ref' in found
      ? found.$ref.split('/').slice(1)
      : ['paths', path, method.toLowerCase(), 'responses', status]
  const documented = '$ref' in found ? openapi.components.responses[pointer.at(-1) ?? ''] : found
  return [
    ...problemsOfHeaders(Object.keys(documented?.headers ?? {}), response.headers),
    ...problemsOfCode(operation, response.status, response.headers.get('Error-Code')),
    ...(await problemsOfBody(pointer, Object.keys(documented?.content ?? {})[0], response)),
  ]
}

async function problemsOfBody(pointer: string[], type: string | undefined, response: Response) {
  const sent = response.headers.get('Content-Type')?.split(';')[0]
  if (sent !== type) return [`is ${sent}, not ${type}`]
  if (type === 'text/event-stream') {
    await response.body?.cancel()
    return []
  }
  const text = await response.text()
  if (type === undefined) return text === '' ? [] : ['has a body, but none is documented']
  const value: unknown = type === 'application/json' ? JSON.parse(text) : text
  return problemsOf(value, [...pointer, 'content', type, 'schema'], 'response')
}

function problemsOfHeaders(names: string[], sent: Headers): string[] {
  return Object.entries(openapi.components.headers).flatMap(([name, { required }]) => {
    const value = sent.get(name)
    if (value === null) return names.includes(name) && required ? [`${name} is missing`] : []
    if (!names.includes(name)) return [`${name} is not documented`]
    return problemsOf(value, ['components', 'headers', name, 'schema'], 'response')
  })
}

/** The codes that an operation returns with a status. */
export function codesOf({ responses }: DocumentedOperation, status: number): string[] {
  const found = responses[status]
  const response =
    found && '$ref' in found ? openapi.components.responses[found.$ref.split('/').at(-1) ?? ''] : found
  const header = response?.headers?.['Error-Code']
  return header && 'schema' in header ? header.schema.enum : []
}

function problemsOfCode(operation: DocumentedOperation, status: number, code: string | null): string[] {
  if (status < 400 && code === null) return []
  const codes = codesOf(operation, status)
  return codes.includes(code ?? '') ? [] : [`the code ${code} is not one of ${codes.join(', ')}`]
}

function schemasFor(schema: unknown): Ajv2020 {
  const ajv = new Ajv2020({ strict: false })
  addFormats(ajv)
  if (isObject(schema)) ajv.addSchema({ ...schema, $id: 'document' })
  return ajv
}

function forbidUnknown(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(forbidUnknown)
  if (!isObject(value)) return value
  const copy = Object.fromEntries(Object.entries(value).map(([name, part]) => [name, forbidUnknown(part)]))
  const isSchema = isObject(value.properties) && value.type === 'object'
  return isSchema && !('additionalProperties' in value) ? { ...copy, additionalProperties: false } : copy
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

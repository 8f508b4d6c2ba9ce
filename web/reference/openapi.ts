// The OpenAPI document, and its operations as the page shows them: with the parts they refer to.
import { readJson, send } from '../../client/http.ts'
import type { ApiRequest } from '../builder/snippets.ts'
import { TIMEOUT_MS } from '../data/viewer-requests.ts'

export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
}
export type Content = { schema: Schema; examples?: Record<string, Example>; example?: unknown }
export type Example = { summary: string; value: unknown }
export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description: string
  schema: Schema
  example?: unknown
}

type Ref = { $ref: string }
type Described = {
  description: string
  headers?: Record<string, Ref | { description: string }>
  content?: Record<string, Content>
}
type DescribedOperation = {
  operationId: string
  summary: string
  description: string
  tags?: string[]
  security: unknown[]
  parameters: (Parameter | Ref)[]
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, Described | Ref>
}
export type OpenApi = {
  info: { version: string; description: string }
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, DescribedOperation>>
  webhooks: Record<string, Record<string, DescribedOperation>>
  components: {
    schemas: Record<string, Schema>
    parameters: Record<string, Parameter>
    headers: Record<string, { description: string }>
    responses: Record<string, Described>
  }
}

export type DocumentedResponse = {
  status: string
  description: string
  headers: { name: string; description: string }[]
  /** The media type of the content. */
  type?: string
  content?: Content
}
export type Operation = {
  id: string
  method: ApiRequest['method']
  /** Null: the server sends this request to a webhook. */
  path: string | null
  summary: string
  description: string
  needsKey: boolean
  parameters: Parameter[]
  body?: Content
  responses: DocumentedResponse[]
}
export type OperationGroup = { name: string; description: string; operations: Operation[] }

/** Below the origin of this page. */
export const API_PATH = '/api/v1'

export const fetchOpenApi = async (): Promise<OpenApi> =>
  readJson(await send({ url: API_PATH, timeout: TIMEOUT_MS }, 'GET', '/openapi.json'))

const METHODS: Record<string, ApiRequest['method']> = {
  get: 'GET',
  post: 'POST',
  put: 'PUT',
  patch: 'PATCH',
  delete: 'DELETE',
}

export function groupsOf(document: OpenApi): OperationGroup[] {
  const described = listOf(document.paths)
  const groups = document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: described
      .filter(({ operation }) => operation.tags?.includes(name))
      .map(({ path, method, operation }) => completed(document, path, method, operation)),
  }))
  const webhooks = listOf(document.webhooks).map(({ method, operation }) =>
    completed(document, null, method, operation),
  )
  return [...groups, { name: 'Webhook', description: 'A request that you receive.', operations: webhooks }]
}

const listOf = (paths: OpenApi['paths']) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

function completed(
  { components }: OpenApi,
  path: string | null,
  method: string,
  described: DescribedOperation,
): Operation {
  const { operationId, summary, description, security, parameters, requestBody, responses } = described
  return {
    id: operationId,
    method: METHODS[method] ?? 'GET',
    path,
    summary,
    description,
    needsKey: security.length > 0,
    parameters: parameters.flatMap(one =>
      '$ref' in one ? (components.parameters[schemaName(one)] ?? []) : one,
    ),
    body: Object.values(requestBody?.content ?? {})[0],
    responses: Object.entries(responses).flatMap(([status, one]) => {
      const response = '$ref' in one ? components.responses[schemaName(one)] : one
      return response ? responseOf(components, status, response) : []
    }),
  }
}

function responseOf(
  components: OpenApi['components'],
  status: string,
  { description, headers = {}, content = {} }: Described,
): DocumentedResponse {
  const [first] = Object.entries(content)
  return {
    status,
    description,
    headers: Object.entries(headers).map(([name, header]) => ({
      name,
      description:
        ('$ref' in header ? components.headers[schemaName(header)]?.description : header.description) ?? '',
    })),
    ...(first && { type: first[0], content: first[1] }),
  }
}

/** `#/components/schemas/Card` → `Card`. */
export const schemaName = ({ $ref }: Ref): string => $ref.slice($ref.lastIndexOf('/') + 1)

export function examplesOf(content: Content | undefined): Example[] {
  if (content?.examples) return Object.values(content.examples)
  return content?.example === undefined ? [] : [{ summary: 'Example', value: content.example }]
}

/** The operation that a fragment names: `#createCard`, or `#/Cards/createCard` as in earlier versions. */
export function operationAt(groups: OperationGroup[], fragment: string): Operation | undefined {
  const id = fragment.slice(Math.max(fragment.lastIndexOf('/'), 0)).replace(/^[#/]/, '')
  return groups.flatMap(({ operations }) => operations).find(operation => operation.id === id)
}

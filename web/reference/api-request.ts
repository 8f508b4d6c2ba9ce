// An operation and the values for its parameters, as a request.
import { type ApiRequest, inPath } from '../builder/snippets.ts'
import { API_PATH, type Operation, type Parameter } from './openapi.ts'

type Given = {
  origin: string
  valueFor: (parameter: Parameter) => string
  body: unknown
  /** Empty: the code reads it from the environment. */
  key: string
}

export function requestOf(operation: Operation, { origin, valueFor, body, key }: Given): ApiRequest {
  const given = operation.parameters.map(parameter => ({ ...parameter, value: valueFor(parameter) }))
  const filled = given.filter(({ value }) => value !== '')
  const path = given
    .filter(one => one.in === 'path')
    .reduce(
      (path, { name, value }) => path.replace(`{${name}}`, () => inPath(value) || placeholder(name)),
      operation.path ?? '',
    )
  const query = new URLSearchParams(
    filled.filter(one => one.in === 'query').map(({ name, value }) => [name, value]),
  )
  return {
    method: operation.method,
    url: origin + API_PATH + path + (query.size > 0 ? `?${query}` : ''),
    headers: Object.fromEntries(
      filled.filter(one => one.in === 'header').map(({ name, value }) => [name, value]),
    ),
    key: operation.needsKey ? key || undefined : null,
    returns: returnsOf(operation),
    ...(operation.body && { body }),
  }
}

/** `channelId` → `CHANNEL_ID`. */
const placeholder = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter}`).toUpperCase()

function returnsOf({ responses }: Operation): ApiRequest['returns'] {
  const type = responses.find(({ status }) => /^2/.test(status))?.type
  if (type === undefined) return 'nothing'
  if (type === 'text/event-stream') return 'stream'
  return type === 'application/json' ? 'json' : 'text'
}

/** Parameters of the path that have no value yet. */
export const missingFrom = (operation: Operation, valueFor: (parameter: Parameter) => string): Parameter[] =>
  operation.parameters.filter(parameter => parameter.required && valueFor(parameter) === '')

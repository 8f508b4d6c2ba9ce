// What a schema says, in a few words.
import { type Schema, schemaName } from './openapi.ts'

export function typeText(schema: Schema): string {
  const { $ref, type, items, anyOf, oneOf, format } = schema
  if ($ref !== undefined) return schemaName({ $ref })
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(' | ')
  const variants = anyOf ?? oneOf
  if (variants) return [...new Set(variants.map(typeText))].join(' | ')
  if (items) return `array of ${typeText(items)}`
  return `${Array.isArray(type) ? type.join(' | ') : (type ?? 'any')}${format ? ` (${format})` : ''}`
}

export function limitsText({ minLength, maxLength, minItems, maxItems, ...schema }: Schema): string {
  const { minimum, maximum } = schema
  const limits = [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(minimum, maximum === Number.MAX_SAFE_INTEGER ? undefined : maximum, ''),
    schema.default === undefined ? '' : `default: ${JSON.stringify(schema.default)}`,
  ]
  return limits.filter(limit => limit !== '').join(', ')
}

function range(from: number | undefined, to: number | undefined, what: string): string {
  const least = from === undefined || (from === 0 && to !== undefined && what !== '') ? undefined : from
  const words =
    to === undefined
      ? least === undefined
        ? ''
        : `at least ${least}`
      : least === undefined
        ? `at most ${to}`
        : `${least} to ${to}`
  return words === '' || what === '' ? words : `${words} ${what}`
}

/** The objects that a value can be or contain. */
export function objectsIn(schema: Schema): Schema[] {
  if (schema.$ref !== undefined || schema.properties) return [schema]
  const { items, anyOf, oneOf, additionalProperties: more } = schema
  return [
    ...(items ? [items] : []),
    ...(anyOf ?? []),
    ...(oneOf ?? []),
    ...(typeof more === 'object' ? [more] : []),
  ].flatMap(objectsIn)
}

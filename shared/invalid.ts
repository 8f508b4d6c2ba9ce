// Validation errors. The message is the field's path, then the rule that it breaks.
import type { z } from 'zod'
import type { ErrorCode } from './error-codes.ts'

export type Path = readonly PropertyKey[]

export class Invalid extends Error {
  readonly path: Path
  readonly rule: string
  readonly code: ErrorCode
  /** Null if the body as a whole is invalid. */
  readonly field: string | null

  constructor(path: Path, rule: string, code?: ErrorCode) {
    const field = fieldName(path)
    const joint = rule.startsWith(':') ? '' : ' '
    super(field === '' ? rule : field + joint + rule)
    this.name = 'Invalid'
    this.path = path
    this.rule = rule
    this.code = code ?? codeOf(field, rule)
    this.field = field === '' ? null : field
  }
}

/** The rule of fields that are missing or empty. */
export const REQUIRED = 'is required'
/** The specification's message is plural. */
const BLOCKS_REQUIRED = 'are required'

const REQUIRED_CODES = new Map<string, ErrorCode>([
  ['name', 'name_required'],
  ['workspace_id', 'workspace_id_required'],
  ['blocks', 'blocks_required'],
])

function codeOf(field: string, rule: string): ErrorCode {
  if (field === '') return 'invalid_body'
  if (rule === REQUIRED || rule === BLOCKS_REQUIRED) return REQUIRED_CODES.get(field) ?? 'field_required'
  return 'field_invalid'
}

/** `['blocks', 2, 'label']` → `blocks[2].label`. */
export function fieldName(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    return name === '' ? String(part) : `${name}.${String(part)}`
  }, '')
}

/** Throws `Invalid` for the first issue. `prefix`: the path of the value. */
export function parse<T extends z.ZodType>(schema: T, value: unknown, prefix: Path = []): z.output<T> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw toInvalid(result.error.issues[0], value, prefix)
}

export function validationErrors(schema: z.ZodType, value: unknown): Invalid[] {
  const result = schema.safeParse(value)
  return result.success ? [] : result.error.issues.map(issue => toInvalid(issue, value, []))
}

function toInvalid(found: Issue | undefined, value: unknown, prefix: Path): Invalid {
  const issue = deepest(found)
  const path = [...prefix, ...issue.path]
  if (path.length === 0) return new Invalid(path, 'The request body must be a JSON object')
  // The path of a custom rule may be a normalized key that the input doesn't have.
  const missing = issue.code !== 'custom' && isMissing(value, issue.path)
  if (missing && fieldName(path) === 'blocks') return new Invalid(path, BLOCKS_REQUIRED)
  return new Invalid(path, missing ? REQUIRED : rule(issue))
}

export const validationError = (schema: z.ZodType, value: unknown) =>
  validationErrors(schema, value)[0]?.message ?? null

type Issue = z.core.$ZodIssue

function deepest(issue: Issue | undefined): Issue {
  if (!issue) throw new Error('a failed parse has an issue')
  if (issue.code !== 'invalid_union') return issue
  // The branch that matched most of the value has the most helpful message.
  const branches = issue.errors.map(errors => errors[0]).filter(error => error !== undefined)
  const furthest = branches.sort((a, b) => b.path.length - a.path.length)[0]
  if (!furthest || furthest.path.length === 0) return issue
  return deepest({ ...furthest, path: [...issue.path, ...furthest.path] })
}

function isMissing(value: unknown, path: Path): boolean {
  let at = value
  for (const part of path) {
    if (typeof at !== 'object' || at === null) return false
    at = Reflect.get(at, part)
  }
  return at === undefined
}

function rule(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.startsWith('must ') ? issue.message : `must be ${article(issue.expected)}`
    case 'invalid_value':
      return oneOf(issue.values)
    case 'invalid_union':
      return 'options' in issue && Array.isArray(issue.options) ? oneOf(issue.options) : issue.message
    default:
      return issue.message
  }
}

const oneOf = (values: readonly unknown[]) => `must be one of ${values.map(String).join(', ')}`

function article(expected: string): string {
  if (expected === 'record') return 'an object'
  if (expected === 'int') return 'an integer'
  return /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`
}

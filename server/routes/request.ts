// Parses requests: ids in paths, JSON bodies, query parameters.

import type { IncomingMessage } from 'node:http'
import type { z } from 'zod'
import { rejectBadCharacters } from '../../shared/bad-characters.ts'
import { parse } from '../../shared/invalid.ts'
import { BODY_MAX_BYTES, JSON_LEVELS_MAX, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../shared/limits.ts'
import { normalUuid } from '../../shared/text.ts'
import { type ApiError, apiError, bodyTooLarge, invalid, type Noun, notFound } from '../errors.ts'
import type { AppContext } from './deps.ts'

/** The id in the path. Throws 404 with the noun if it isn't a UUID. */
export function readId(c: AppContext, param: string, noun: Noun): string {
  const id = normalUuid(c.req.param(param))
  if (id === null) throw notFound(noun)
  return id
}

/** Throws 400 for text in an address that PostgreSQL can't store. */
export function checkText(name: string, text: string): void {
  if (/\0|\p{Surrogate}/u.test(text)) throw invalid(name, 'must be well-formed Unicode without NUL')
}

/** Reads a JSON body. Checks its size, content type and characters, then its fields. */
export async function readBody<T extends z.ZodType>(c: AppContext, schema: T): Promise<z.output<T>> {
  const { incoming } = c.env
  const bytes = await readBytes(incoming)
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = incoming.headers
  if (encoding.trim().toLowerCase() !== 'identity') throw apiError('encoding_not_supported')
  if (!/^application\/json\s*(;|$)/i.test(type)) throw apiError('invalid_content_type')
  const text = orThrow(
    () => utf8.decode(bytes),
    () => apiError('body_not_utf8'),
  )
  if (nestsTooDeep(bytes)) throw apiError('invalid_json')
  const value: unknown = orThrow(
    () => JSON.parse(text),
    () => apiError('invalid_json'),
  )
  rejectBadCharacters(text, value)
  c.set('body', bytes)
  return parse(schema, value)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Whether the JSON is nested deeper than its limit. What works on values may then be recursive. */
export function nestsTooDeep(json: Uint8Array): boolean {
  // Each level takes two bytes.
  if (json.length <= 2 * JSON_LEVELS_MAX) return false
  let level = 0
  let quoted = false
  for (let i = 0; i < json.length; i++) {
    const byte = json[i] ?? 0
    if (quoted) {
      if (byte === BACKSLASH) i++
      else if (byte === QUOTE) quoted = false
    } else if (byte === QUOTE) quoted = true
    // `[` and `{`, `]` and `}` differ in the same bit.
    else if ((byte | 0x20) === 0x7b) {
      if (++level > JSON_LEVELS_MAX) return true
    } else if ((byte | 0x20) === 0x7d) level--
  }
  return false
}

function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  if (Number(incoming.headers['content-length'] ?? 0) > BODY_MAX_BYTES) return Promise.reject(bodyTooLarge())
  if (incoming.destroyed && !incoming.complete) return Promise.reject(cutOff())
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > BODY_MAX_BYTES) {
        incoming.removeAllListeners('data')
        incoming.resume()
        return reject(bodyTooLarge())
      }
      chunks.push(chunk)
    })
    incoming.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    incoming.on('error', () => reject(cutOff()))
    // Every request ends with `close`, even a complete one.
    incoming.on('close', () => incoming.complete || reject(cutOff()))
  })
}

const cutOff = () => apiError('body_cut_off')

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Throws the error if `work` throws. */
export function orThrow<T>(work: () => T, error: () => ApiError): T {
  try {
    return work()
  } catch {
    throw error()
  }
}

export const readLimit = (c: AppContext) => readCount(c, 'limit', LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX)

export function readCount(c: AppContext, name: string, by_default: number, max: number): number {
  const given = c.req.query(name)
  if (given === undefined) return by_default
  const count = /^\d{1,9}$/.test(given) ? Number(given) : 0
  if (count < 1 || count > max) throw invalid(name, `must be a whole number from 1 to ${max}`)
  return count
}

export function readCursor(c: AppContext): number | null {
  const given = c.req.query('cursor')
  if (given === undefined) return null
  const position = /^[A-Za-z0-9_-]{1,24}$/.test(given) ? Buffer.from(given, 'base64url').toString() : ''
  if (!/^p\d{1,15}$/.test(position)) throw invalid('cursor', 'is unknown')
  return Number(position.slice(1))
}

export function nextCursor(position: number | null): string | null {
  return position === null ? null : Buffer.from(`p${position}`).toString('base64url')
}

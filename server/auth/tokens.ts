// Random tokens, and values that only this service can have written. Of a token only the SHA-256 is stored.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 32 random bytes in base64url: 43 characters. */
export function randomToken(): string {
  return randomBytes(32).toString('base64url')
}

export function sha256(value: string): Buffer {
  return createHash('sha256').update(value).digest()
}

/** `value.signature`. What is signed for one purpose is void for another. */
export function sign(secret: string, purpose: string, value: string): string {
  return `${value}.${signature(secret, purpose, value).toString('base64url')}`
}

/** The value that `sign` was given, or null where the signature is not ours. */
export function unsign(secret: string, purpose: string, signed: string): string | null {
  const dot = signed.lastIndexOf('.')
  if (dot < 0) return null
  const value = signed.slice(0, dot)
  const given = Buffer.from(signed.slice(dot + 1), 'base64url')
  const expected = signature(secret, purpose, value)
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null
}

function signature(secret: string, purpose: string, value: string): Buffer {
  return createHmac('sha256', secret).update(`${purpose}\n${value}`).digest()
}

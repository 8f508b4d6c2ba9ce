// Random tokens, of which only the SHA-256 is stored, and signed values in cookies.
import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 32 random bytes in base64url: 43 characters. */
export const randomToken = () => randomBytes(32).toString('base64url')

export const sha256 = (value: string): Buffer => hash('sha256', value, 'buffer')

/** Returns `value.signature`. The signature is valid for this purpose only. */
export function sign(secret: string, purpose: string, value: string): string {
  return `${value}.${signature(secret, purpose, value).toString('base64url')}`
}

/** The signed value, or null if the signature isn't ours. */
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

/** The cookies in a `Cookie` header. A name may occur several times. */
export function cookiesIn(header = ''): { name: string; value: string }[] {
  return header.split(';').map(cookie => {
    const [name = '', value = ''] = cookie.trim().split('=', 2)
    return { name, value }
  })
}

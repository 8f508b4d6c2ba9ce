// Checks of strings, without zod: the channel's page uses them and must stay small.

export function charCount(value: string): number {
  let count = 0
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i)
    if (unit < 0xdc00 || unit > 0xdfff) count++
  }
  return count
}

export function isHttpUrl(value: string): boolean {
  // The URL parser ignores these.
  if (/[\t\n\r]|\s$/.test(value)) return false
  return /^https?:\/\//i.test(value) && URL.canParse(value)
}

export const hasRepeats = (values: string[]) => new Set(values).size < values.length

/** A random UUID (version 4). Browsers have `randomUUID` only on https and on localhost. */
export function newUuid(): string {
  const own: Pick<Crypto, 'getRandomValues'> & Partial<Crypto> = crypto
  return own.randomUUID?.() ?? asUuid(own.getRandomValues(new Uint8Array(16)))
}

export function asUuid(bytes: Uint8Array): string {
  const hex = [...bytes].map(byte => byte.toString(16).padStart(2, '0')).join('')
  const variant = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant.toString(16)}${hex.slice(18, 20)}-${hex.slice(20)}`
}

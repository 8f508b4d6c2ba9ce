// The public name of an interaction. Without zod: the channel's page uses it and must stay small.
import { digest } from 'lib0/hash/sha256'

/**
 * Names an interaction without revealing its id: a device recognises its own press by it, while the id itself stays
 * secret, because repeating it returns the inputs.
 */
export function actOf(interaction_id: string): string {
  const hash = digest(new TextEncoder().encode(interaction_id.toLowerCase()))
  const bits = [...hash.subarray(0, 16)].map(byte => String.fromCharCode(byte)).join('')
  return btoa(bits).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

// The name under which viewers see an interaction.
import { digest } from 'lib0/hash/sha256'

/**
 * Names an interaction without revealing its id: a device recognises its own press by it, while the id itself stays
 * secret, because repeating it returns the inputs.
 */
export function publicIdOf(interaction_id: string): string {
  const hash = digest(new TextEncoder().encode(interaction_id.toLowerCase()))
  const bits = [...hash.subarray(0, 16)].map(byte => String.fromCharCode(byte)).join('')
  return btoa(bits).replaceAll('+', '-').replaceAll('/', '_').slice(0, 22)
}

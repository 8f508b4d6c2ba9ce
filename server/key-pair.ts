// An Ed25519 key pair: its private half is a JWK in one line, its public half has the thumbprint as its name.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { calculateJwkThumbprint } from 'jose/jwk/thumbprint'
import { z } from 'zod'

const publicJwk = z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: z.string() })
export type PublicJwk = z.output<typeof publicJwk>
export const privateJwk = publicJwk.extend({ d: z.string() })
export type PrivateJwk = z.output<typeof privateJwk>

/** `kid`: the thumbprint of RFC 7638. */
export type KeyPair = { kid: string; jwk: PublicJwk; sign(bytes: Uint8Array): Buffer }

export function newPrivateJwk(): PrivateJwk {
  return privateJwk.parse(generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }))
}

/** Null for anything but a private Ed25519 JWK whose halves belong together. */
export async function parseKeyPair(text: string): Promise<KeyPair | null> {
  try {
    return await keyPairOf(privateJwk.parse(JSON.parse(text)))
  } catch {
    return null
  }
}

/** Throws for a JWK whose halves don't belong together. */
export async function keyPairOf(given: PrivateJwk): Promise<KeyPair> {
  const key = createPrivateKey({ key: given, format: 'jwk' })
  const jwk = publicHalfOf(key)
  if (jwk.x !== given.x) throw new Error('the public half is of another key')
  return { kid: await calculateJwkThumbprint(jwk), jwk, sign: bytes => sign(null, bytes, key) }
}

const publicHalfOf = (key: KeyObject): PublicJwk =>
  publicJwk.parse(createPublicKey(key).export({ format: 'jwk' }))

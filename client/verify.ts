// Verifies a signed decision: the server's key signed it, and it approves what the caller is about to do.
import {
  base64url,
  type CryptoKey,
  compactVerify,
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  type JSONWebKeySet,
  type JWSHeaderParameters,
} from 'jose'
import { canonicalJson, SIGNATURE_TYPE } from '../shared/digested-card.ts'
import type { DecisionClaims, SignedDecision } from '../shared/signed-decision.ts'

/** Whatever is given is compared, even `undefined`: a caller who forgot a value must not pass. */
export type VerifyOptions = {
  /** The server's address, exactly as people open it. */
  issuer: string
  /** The server's public keys. By default they are fetched from the issuer, and kept for ten minutes. */
  jwks?: JSONWebKeySet
  decision_id?: string
  /** What the caller knows as the card, as in `GET …/signed`. */
  card?: SignedDecision['card']
  /** The values that people entered, without passwords. */
  values?: SignedDecision['values']
  /** What the block `args` of the card must say. Needs `card`. */
  args?: unknown
  /** Also accepts choices that approve nothing, and questions in which none does. */
  any_choice?: boolean
}

type Code = 'signature' | 'issuer' | 'decision' | 'not_approved' | 'card' | 'values' | 'args'

export class DecisionVerificationError extends Error {
  readonly code: Code

  override name = 'DecisionVerificationError'

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Throws `DecisionVerificationError` unless all of it holds. Nothing but the decision's approving choice passes. */
export async function verifyDecision(jws: string, options: VerifyOptions): Promise<DecisionClaims> {
  const refuse = (code: Code, message: string) => {
    throw new DecisionVerificationError(code, message)
  }
  const issuer = options.issuer.replace(/\/$/, '')
  const claims = await signedClaims(jws, header => keysOf(issuer, options.jwks)(asListed(header)))
  const { choice, approves, approved } = claims
  if (claims.iss !== issuer) refuse('issuer', `Signed by ${claims.iss}, not by ${issuer}`)
  if ('decision_id' in options && claims.jti !== options.decision_id)
    refuse('decision', `This is the decision ${claims.jti}`)
  if (options.any_choice !== true && !(approved && choice.id === approves))
    refuse('not_approved', `${choice.label} was chosen, which approves nothing`)
  if ('card' in options && (await digestOf(options.card)) !== claims.card.digest)
    refuse('card', 'The decision was about another card, or an earlier state of it')
  if ('values' in options && (await digestOf(options.values)) !== claims.values_digest)
    refuse('values', 'The decision was made with other values')
  if ('args' in options && !shows(options.card, options.args))
    refuse('args', 'The card that was approved does not show exactly these arguments')
  return claims
}

type Keys = (header: JWSHeaderParameters) => Promise<CryptoKey>

async function signedClaims(jws: string, keyOf: Keys): Promise<DecisionClaims> {
  try {
    const { payload, protectedHeader } = await compactVerify(jws, keyOf, { algorithms: ['EdDSA', 'Ed25519'] })
    if (protectedHeader.typ !== SIGNATURE_TYPE) throw new Error(`it is of the type ${protectedHeader.typ}`)
    const claims: DecisionClaims = JSON.parse(new TextDecoder().decode(payload))
    if (claims.v !== 1) throw new Error(`its version is ${claims.v}`)
    return claims
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DecisionVerificationError('signature', `The signature can't be verified: ${reason}`, { cause })
  }
}

const CACHED_MS = 600_000
/** A new key may sign at any time, so an unknown one is looked up, but not for each forged token. */
const LOOK_UP_MS = 1_000
const remote = new Map<string, Keys>()

/** Never from an address in the token: anyone can sign with keys of their own. */
function keysOf(issuer: string, jwks: JSONWebKeySet | undefined): Keys {
  if (jwks) return createLocalJWKSet(jwks)
  const known = remote.get(issuer)
  if (known) return known
  const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`), {
    cacheMaxAge: CACHED_MS,
    cooldownDuration: LOOK_UP_MS,
    // A browser's own copy may lack a new key.
    [customFetch]: (address, options) => fetch(address, { ...options, cache: 'no-cache' }),
  })
  remote.set(issuer, keys)
  return keys
}

/** `Ed25519` is the newer name of the same signature. Without a `kid`, a set with one key would match. */
function asListed({ kid, ...header }: JWSHeaderParameters): JWSHeaderParameters {
  if (kid === undefined) throw new Error('it names no key')
  return { ...header, kid, alg: 'EdDSA' }
}

/** Undefined for what is no JSON. */
async function digestOf(value: unknown): Promise<string | null | undefined> {
  if (value === null) return null
  const text = canonicalOf(value)
  if (text === undefined) return undefined
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))
  return `sha-256:${base64url.encode(new Uint8Array(hash))}`
}

function canonicalOf(value: unknown): string | undefined {
  try {
    return canonicalJson(value)
  } catch {
    return undefined
  }
}

/** Whether the block `args` says these arguments, and nothing else. */
function shows(card: VerifyOptions['card'], args: unknown): boolean {
  const block: object | undefined = card?.blocks.find(({ id }) => id === 'args')
  if (!block || !('type' in block) || !('content' in block)) return false
  const { type, content } = block
  if ((type !== 'code' && type !== 'text') || typeof content !== 'string') return false
  const expected = canonicalOf(args)
  try {
    const said: unknown = JSON.parse(content)
    return canonicalOf(said) === expected && wordsOf(content) === wordsOf(JSON.stringify(said))
  } catch {
    return false
  }
}

const WORD = /"(?:[^"\\]|\\.)*"|[^\s",:[\]{}]+/g

/**
 * The words of a JSON text, sorted, with its strings written in one way. They tell whether people saw more than `JSON.parse`
 * returns: of a repeated key only the last value, of a long number only some digits.
 */
function wordsOf(json: string): string {
  const words = json.match(WORD) ?? []
  return words
    .map(word => (word.startsWith('"') ? JSON.stringify(JSON.parse(word)) : word))
    .sort()
    .join(' ')
}

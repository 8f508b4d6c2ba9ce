// Signed decisions that are published for other implementations, and signatures that nobody should accept.
import { createHmac, createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { DecisionRecord } from '../../server/decisions/rows.ts'
import type { PrivateJwk, PublicJwk } from '../../server/key-pair.ts'
import type { Block } from '../../shared/block.ts'
import type { PlacedCard } from '../../shared/card.ts'
import type { DecisionClaims, DigestedCard } from '../../shared/signed-decision.ts'
import { OPEN_QUESTION } from './open-question.ts'

export type Vector = {
  title: string
  jws: string
  claims: DecisionClaims
  card: DigestedCard
  values: Record<string, string | boolean> | null
}

type Vectors = {
  /** The key of RFC 8037, appendix A. */
  key: PrivateJwk
  jwks: { keys: (PublicJwk & { kid: string; use: string; alg: string })[] }
  issuer: string
  decisions: Vector[]
}

export const vectors: Vectors = JSON.parse(
  readFileSync(new URL('../client/signed-decisions.json', import.meta.url), 'utf8'),
)

/** The record that was signed. */
export function recordOf({ claims, values }: Pick<Vector, 'claims' | 'values'>): DecisionRecord {
  const { channel_id, card_id, block_id, key, asked_at, approves, asked_by, by, via, card } = claims
  const by_agent = asked_by.kind === 'agent'
  const outcome = {
    button_id: claims.choice.id,
    label: claims.choice.label,
    by: { kind: by.kind, name: by.name },
    comment: claims.comment,
    timestamp: claims.pressed_at,
    act: '',
  }
  return {
    channel_id,
    card_id,
    block_id,
    decision: {
      ...OPEN_QUESTION,
      ...{ id: claims.jti, key, asked_at, approves, state: 'decided', ended_at: claims.decided_at, outcome },
    },
    details: {
      choices: [],
      asker: {
        kind: asked_by.kind,
        name: asked_by.name,
        api_key_id: by_agent ? asked_by.id : null,
        ...(!by_agent && asked_by.id !== null && { user_id: asked_by.id }),
      },
      listed: null,
      request: null,
      answer: {
        interaction_id: '',
        user_id: via === 'page' ? by.id : null,
        api_key_id: via === 'api' ? by.id : null,
        values: values ?? {},
        seen: card.seen === null ? null : card.seen ? card.updated_at : asked_at,
        card_updated_at: card.updated_at,
      },
    },
    jws: null,
  }
}

/** The card that was signed, while its question waits. */
export function cardOf(vector: Vector): PlacedCard {
  const { card, claims } = vector
  const { outcome: _, ...waiting } = recordOf(vector).decision
  const blocks = card.blocks.map((block): Block => {
    if (block.type !== 'button') return block
    const { decision, ...plain } = block
    return decision
      ? { ...plain, decision: { ...waiting, state: 'waiting', outcome: null, ...decision } }
      : plain
  })
  const { channel_id, card_id: id, status } = card
  const times = { created_at: claims.asked_at, updated_at: claims.card.updated_at }
  return { id, channel_id, status, blocks, ...times, position: 0 }
}

const encoded = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')

/** A JWS with any header and payload. */
export function forge(header: object, payload: object, key: PrivateJwk = vectors.key): string {
  const text = `${encoded(header)}.${encoded(payload)}`
  const signature = sign(null, Buffer.from(text), createPrivateKey({ key, format: 'jwk' }))
  return `${text}.${signature.toString('base64url')}`
}

/** The same, with a shared secret instead of a key. */
export function forgeHmac(header: object, payload: object, secret: string | Buffer): string {
  const text = `${encoded(header)}.${encoded(payload)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

export const headerOf = (jws: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(jws.split('.')[0] ?? '', 'base64url').toString())

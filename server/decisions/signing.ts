// Signs a decision that a press has made. Synchronous, because presses are judged in their channel's turn.
import { createHash } from 'node:crypto'
import type { PlacedCard } from '../../shared/card.ts'
import type { DecisionOutcome } from '../../shared/decision.ts'
import { canonicalJson, digestedCard, SIGNATURE_TYPE } from '../../shared/digested-card.ts'
import { isInput, isSecret } from '../../shared/form-block.ts'
import { ownValue } from '../../shared/own-value.ts'
import type { DecisionClaims } from '../../shared/signed-decision.ts'
import type { KeyPair } from '../key-pair.ts'
import type { DecisionAnswer, DecisionRecord, SignedContent } from './rows.ts'

/** `record`: decided by a press. `card`: as the press met it. */
export type SignDecision = (record: DecisionRecord, card: PlacedCard) => DecisionRecord

export function createSigner({ kid, jwk, sign }: KeyPair, issuer: string): SignDecision {
  const header = base64url(JSON.stringify({ alg: 'EdDSA', kid, typ: SIGNATURE_TYPE }))
  return (record, shown) => {
    const { outcome } = record.decision
    const { answer } = record.details
    if (!outcome || !answer) throw new Error(`the decision ${record.decision.id} has no answer`)
    const card = digestedCard(shown)
    const values = signedValues(shown, answer)
    const card_text = canonicalJson(card)
    const values_text = values && canonicalJson(values)
    const digests = { card: digestOf(card_text), values: values_text && digestOf(values_text) }
    const payload = base64url(JSON.stringify(claimsOf(issuer, record, { outcome, answer, digests })))
    const signature = sign(Buffer.from(`${header}.${payload}`)).toString('base64url')
    const jws = `${header}.${payload}.${signature}`
    const bytes = jws.length + Buffer.byteLength(card_text) + Buffer.byteLength(values_text ?? '')
    return { ...record, jws, signed: { card, values, kid, jwk, bytes } }
  }
}

type Answered = {
  outcome: DecisionOutcome
  answer: DecisionAnswer
  digests: { card: string; values: string | null }
}

function claimsOf(
  iss: string,
  { channel_id, card_id, block_id, decision, details: { asker } }: DecisionRecord,
  { outcome, answer, digests }: Answered,
): DecisionClaims {
  const { id: jti, key, asked_at, approves, ended_at } = decision
  if (card_id === null || ended_at === null) throw new Error(`the decision ${jti} was not made on a card`)
  const { button_id, label, by, comment, timestamp: pressed_at } = outcome
  const { seen, card_updated_at: updated_at } = answer
  return {
    v: 1,
    iss,
    jti,
    iat: Math.floor(Date.parse(ended_at) / 1_000),
    channel_id,
    card_id,
    block_id,
    key,
    asked_at,
    asked_by: { kind: asker.kind, id: asker.api_key_id ?? asker.user_id ?? null, name: asker.name },
    choice: { id: button_id, label },
    approves,
    approved: button_id === approves,
    by: { kind: by.kind, id: answer.user_id ?? answer.api_key_id, name: by.name },
    via: answer.api_key_id === null ? 'page' : 'api',
    comment,
    pressed_at,
    decided_at: ended_at,
    card: {
      digest: digests.card,
      updated_at,
      seen: seen === null ? null : Date.parse(seen) === Date.parse(updated_at),
    },
    values_digest: digests.values,
  }
}

/** Null for a card without inputs. */
function signedValues({ blocks }: PlacedCard, { values }: DecisionAnswer): SignedContent['values'] {
  const inputs = blocks.filter(isInput)
  if (inputs.length === 0) return null
  const known = inputs.filter(block => !isSecret(block))
  return Object.fromEntries(known.map(({ id }) => [id, ownValue(values, id) ?? null]))
}

const digestOf = (text: string) => `sha-256:${createHash('sha256').update(text).digest('base64url')}`

const base64url = (text: string) => Buffer.from(text).toString('base64url')

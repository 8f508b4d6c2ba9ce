// D11: every decision has a signature that a published key verifies. It says what the log says: the outcome, and the card that was
// shown.
import { createHash, createPublicKey, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Card } from '../../../shared/card.ts'
import type { FullDecision } from '../../../shared/decision.ts'
import type { Ending } from '../load/ending.ts'
import { canonical } from './canonical.ts'
import type { Files, Finding } from './files.ts'
import { type Asked, questionsOf } from './questions.ts'

type Row = Extract<Ending, { kind: 'signed decision' }>
type Key = Extract<Ending, { kind: 'signing key' }>
/** The card before and after the turn that decided. */
type Around = { before: Card | undefined; after: Card | undefined }

export function checkSigned({ turns, ending }: Files): Finding[] {
  if (ending.length === 0) return []
  const rows = new Map(
    ending.flatMap((line): [string, Row][] => (line.kind === 'signed decision' ? [[line.id, line]] : [])),
  )
  const keys = new Map(
    ending.flatMap((line): [string, Key][] => (line.kind === 'signing key' ? [[line.kid, line]] : [])),
  )
  const cards = cardsAround(turns)
  return [...questionsOf(turns).values()].flatMap(question => {
    const decision = question.ends.at(-1)?.decision
    if (decision?.state !== 'decided') return []
    const row = rows.get(question.id)
    const problem = row
      ? problemOf(question, decision, row, keys, cards.get(question.id))
      : 'has no signature'
    return problem === null ? [] : [{ promise: 'D11', message: `decision ${question.id} ${problem}` }]
  })
}

function problemOf(
  { card_id }: Asked,
  decision: FullDecision,
  row: Row,
  keys: Map<string, Key>,
  around: Around | undefined,
): string | null {
  if (row.jws !== decision.outcome?.jws) return 'has one signature in the log, and another in its row'
  const claims = verifiedClaims(row.jws, keys)
  if (!claims) return 'has a signature that no published key verifies'
  const { card, values_digest, ...said } = claims
  const expected = expectedClaims(card_id, decision)
  const differing = Object.keys(expected).filter(name => canonical(said[name]) !== canonical(expected[name]))
  if (differing.length > 0) return `is signed with another ${differing.join(', ')} than the log has`
  if (row.card !== null && Reflect.get(Object(card), 'digest') !== digestOf(row.card))
    return 'is signed for another card than its row has'
  if (values_digest !== (row.values && digestOf(row.values)))
    return 'is signed for other values than its row has'
  return wasShown(row, around) ? null : 'is signed for a card that was not shown'
}

function verifiedClaims(jws: string, keys: Map<string, Key>): Record<string, unknown> | null {
  const [header = '', payload = '', signature = ''] = jws.split('.')
  const parse = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  const key = keys.get(parse(header).kid)
  if (!key) return null
  const public_key = createPublicKey({ key: key.jwk, format: 'jwk' })
  const text = Buffer.from(`${header}.${payload}`)
  return verify(null, text, public_key, Buffer.from(signature, 'base64url')) ? parse(payload) : null
}

/** The claims that follow from the full form. */
function expectedClaims(card_id: string, decision: FullDecision): Record<string, unknown> {
  const { id: jti, channel_id, block_id, key, asked_at, approves, ended_at, outcome } = decision
  const { button_id, label, by, comment, timestamp } = outcome ?? {}
  return {
    ...{ v: 1, jti, channel_id, card_id, block_id, key, asked_at, approves, comment },
    choice: { id: button_id, label },
    approved: approves === button_id,
    by: { kind: by?.kind, id: by?.user_id ?? by?.api_key_id, name: by?.name },
    via: by?.api_key_id === null ? 'page' : 'api',
    pressed_at: timestamp,
    decided_at: ended_at,
  }
}

function digestOf(value: unknown): string {
  const text = canonicalize(value) ?? ''
  return `sha-256:${createHash('sha256').update(text).digest('base64url')}`
}

/** By decision. */
function cardsAround(turns: Files['turns']): Map<string, Around> {
  const cards = new Map<string, Card>()
  const found = new Map<string, Around>()
  for (const { events } of turns) {
    const before = new Map<string, Card | undefined>()
    for (const { type, data } of events ?? []) {
      if (type === 'card.inserted' || type === 'card.updated') {
        before.set(data.id, cards.get(data.id))
        cards.set(data.id, data)
      }
      if (type === 'decision.decided' && data.card_id !== null)
        found.set(data.id, { before: before.get(data.card_id), after: cards.get(data.card_id) })
    }
  }
  return found
}

/** Other mutations of the turn may have changed the card, before the press or after it. Then the log can't tell what was shown. */
function wasShown({ card }: Row, around: Around | undefined): boolean {
  if (card === null || !around?.before || !around.after) return true
  const [before, after] = [shownBy(around.before), shownBy(around.after)]
  return before !== after || canonical(card) === before
}

const shownBy = ({ id: card_id, channel_id, status, blocks }: Card) =>
  canonical({ v: 1, channel_id, card_id, status, blocks: blocks.map(withoutEnd) })

function withoutEnd(block: Card['blocks'][number]): object {
  if (block.type !== 'button' || !block.decision) return block
  const { state: _, ended_at: __, reason: ___, outcome: ____, ...decision } = block.decision
  return { ...block, decision }
}

// D11: what the checker of signatures finds, with the published vectors as a run.
import { expect, test } from 'vitest'
import { fullForm } from '../../../server/decisions/rows.ts'
import { cardOf, recordOf, vectors } from '../../support/signed-decisions.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import type { Ending } from '../load/ending.ts'
import { filesOf, turnOf } from './sample.ts'
import { checkSigned } from './signed.ts'

const [vector] = vectors.decisions
const [key] = vectors.jwks.keys
if (!vector || !key) throw new Error('there is a vector and a key')
const { jws, card, values } = vector
const waiting = cardOf(vector)
const decided = fullForm({ ...recordOf(vector), jws }, '')

const asking = turnOf(1, 'card.inserted', waiting)
const row = { kind: 'signed decision' as const, id: decided.id, jws, card, values }
const signing_key = { kind: 'signing key' as const, kid: key.kid, jwk: key }

/** The turn that decided. */
const deciding = (decision = decided, after = waiting): TappedTurn => ({
  ...turnOf(2, 'card.updated', after),
  events: [
    { type: 'card.updated', data: after },
    { type: 'decision.decided', data: decision },
  ],
})

function findings(ending: Ending[] = [row, signing_key], last = deciding()): string[] {
  const question = {
    type: 'decision.waiting' as const,
    data: { ...decided, state: 'waiting' as const, outcome: null },
  }
  const first = { ...asking, events: [...(asking.events ?? []), question] }
  return checkSigned(filesOf({ turns: [first, last], ending })).map(({ promise, message }) => {
    expect(promise).toBe('D11')
    return message.replace(`decision ${decided.id} `, '')
  })
}

test('D11: a decision whose signature says what the log says has no findings', () => {
  expect(findings()).toEqual([])
  expect(findings([{ ...row, card: null }, signing_key])).toEqual([])
})

test('D11: a decision without a signature, or with one that no published key verifies, is a finding', () => {
  expect(findings([signing_key])).toEqual(['has no signature'])
  const unverified = 'has a signature that no published key verifies'
  expect(findings([row])).toEqual([unverified])
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURA'
  expect(findings([row, { ...signing_key, jwk: { ...key, x } }])).toEqual([unverified])
  const other = vectors.decisions[1]?.jws ?? ''
  expect(findings([{ ...row, jws: other }, signing_key])).toEqual([
    'has one signature in the log, and another in its row',
  ])
})

test('D11: a signature of another outcome than the log has is a finding', () => {
  const { outcome } = decided
  if (!outcome) throw new Error('it is decided')
  const differs = (names: string) => [`is signed with another ${names} than the log has`]
  const found = (changed: Partial<typeof outcome>) =>
    findings(undefined, deciding({ ...decided, outcome: { ...outcome, ...changed } }))
  expect(found({ button_id: 'reject' })).toEqual(differs('choice, approved'))
  expect(found({ comment: null })).toEqual(differs('comment'))
  expect(found({ by: { ...outcome.by, user_id: null, api_key_id: 'k' } })).toEqual(differs('by, via'))
  expect(findings(undefined, deciding({ ...decided, ended_at: null }))).toEqual(differs('decided_at'))
})

test('D11: a signature for another card or other values is a finding', () => {
  expect(findings([{ ...row, card: { ...card, status: 'error' } }, signing_key])).toEqual([
    'is signed for another card than its row has',
  ])
  expect(findings([{ ...row, values: { note: 'x' } }, signing_key])).toEqual([
    'is signed for other values than its row has',
  ])
  const shown = { ...waiting, status: 'error' as const }
  const turns = [turnOf(1, 'card.inserted', shown), deciding(decided, shown)]
  expect(checkSigned(filesOf({ turns, ending: [row, signing_key] }))).toMatchObject([
    { message: `decision ${decided.id} is signed for a card that was not shown` },
  ])
})

test('D11: a card that its turn also changed may have been signed in between', () => {
  const changed = { ...waiting, status: 'success' as const }
  expect(findings(undefined, deciding(decided, changed))).toEqual([])
})

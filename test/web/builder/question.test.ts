// A question in the builder: its JSON, its preview, and the PATCH that changes it, judged by the server's own rules.
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { patchQuestions } from '../../../server/decisions/rules.ts'
import { block } from '../../../shared/block.ts'
import { createCardBody } from '../../../shared/card.ts'
import { COMMENTS, type Decision, IF_CHANGED, newDecision } from '../../../shared/decision.ts'
import { parse } from '../../../shared/invalid.ts'
import { patchBetween } from '../../../web/builder/card-patch-body.ts'
import { duplicateOf, type Fields, setIn } from '../../../web/builder/card-value.ts'
import { cardTextOf, compositionOf, withField, withQuestionsOf } from '../../../web/builder/composition.ts'
import { makePreviewCards } from '../../../web/builder/preview-card.ts'
import { addressesOf, amountOf, secondsOf, UNITS } from '../../../web/builder/question-values.ts'
import { stripDefaults } from '../../../web/builder/strip-defaults.ts'
import { forAll } from '../../support/for-all.ts'
import { ANN, asked_at, buildDecision, decidedBy, ended_at } from '../question.ts'

// Many questions at random, on machines that are busy with other things.
vi.setConfig({ testTimeout: 60_000 })

const ID = '00000000-0000-4000-8000-000000000001'
const NOW = '2026-11-22T15:00:00.000Z'
const LATER = '2026-11-23T15:00:00.000Z'

const BUTTONS = {
  type: 'button',
  id: 'ask',
  buttons: [
    { id: 'approve', label: 'Approve' },
    { id: 'reject', label: 'Reject' },
  ],
}

const stored = (decision?: Decision) => ({
  id: ID,
  channel_id: ID,
  status: 'default' as const,
  blocks: [block.parse({ ...BUTTONS, decision })],
  created_at: asked_at,
  updated_at: asked_at,
})

const DECIDED = { ...decidedBy(ANN), id: ID }
const WAITING = buildDecision({ id: ID })

/** The question as the builder's JSON has it. */
const questionIn = (decision: Decision) => {
  const [first] = createCardBody.parse(stripDefaults(stored(decision))).questions ?? []
  return first?.settings
}

/** The card with the question that the JSON asks. */
const cardWith = (decision: Fields | null) =>
  createCardBody.parse({ blocks: [{ ...BUTTONS, ...(decision && { decision }) }] })

const patchOf = (before: Decision | undefined, after: Fields | null) => {
  const patch = patchBetween(stored(before), cardWith(after))
  return patch.kind === 'patch' ? patch.body.blocks?.[0]?.patch : patch
}

const settings = fc.record({
  key: fc.constantFrom(null, 'deploy-1', 'deploy-2'),
  expires_at: fc.constantFrom(null, LATER, '2026-11-24T15:00:00.000Z'),
  who: fc.constantFrom('anyone' as const, 'signed_in' as const, 'members' as const, 'owner' as const),
  agents: fc.boolean(),
  comment: fc.constantFrom(...COMMENTS),
  if_changed: fc.constantFrom(...IF_CHANGED),
  approves: fc.constantFrom(null, 'approve', 'reject'),
})

/** What the server makes of a PATCH. */
function applied(before: Decision | undefined, patch: unknown): Decision | undefined {
  const path = ['blocks', 0, 'patch', 'decision']
  const details = { choices: [], asker: { kind: 'owner', name: '', api_key_id: null }, listed: null } as const
  const record = before && {
    channel_id: ID,
    card_id: ID,
    block_id: 'ask',
    decision: before,
    details: { ...details, choices: [], request: null, answer: null },
    jws: null,
  }
  const plain = block.parse(BUTTONS)
  if (plain.type !== 'button') throw new Error('a button block')
  const context = {
    channel_id: ID,
    card_id: ID,
    block: plain,
    inquiry: { asker: details.asker, accounts: new Map<string, string>(), request: null },
    now: NOW,
    shown: (decision: Decision) => decision,
  }
  const settings = parse(newDecision, JSON.parse(JSON.stringify(patch)), path)
  const current = before ? { decision: before, record } : null
  return patchQuestions(context, [{ block_id: 'ask', path, settings }], current)?.decision ?? before
}

const decisionOf = (patch: object | undefined): unknown => patch && Reflect.get(patch, 'decision')

describe('the PATCH of a question', () => {
  test('the PATCH of a question is not needed when a stored question was only opened', () => {
    forAll(settings, over => {
      for (const decision of [buildDecision({ ...over, id: ID }), { ...DECIDED, ...over }])
        expect(patchBetween(stored(decision), createCardBody.parse(stripDefaults(stored(decision))))).toEqual(
          {
            kind: 'same',
          },
        )
    })
  })

  test('the PATCH of a question gives the edited question when the server applies it', () => {
    forAll(fc.tuple(settings, settings), ([before, after]) => {
      const decision = buildDecision({ ...before, id: ID })
      const changed = decisionOf(patchOf(decision, after))
      expect(changed === undefined ? decision : applied(decision, changed)).toEqual({ ...decision, ...after })
    })
  })

  test('the PATCH of an ended question asks again, without the old deadline', () => {
    forAll(fc.tuple(settings, settings), ([before, after]) => {
      const ended = { ...DECIDED, ...before, expires_at: ended_at }
      const changed = decisionOf(patchOf(ended, { ...after, reopen: true }))
      expect(applied(ended, changed)).toMatchObject({ ...after, state: 'waiting', outcome: null })
    })
  })

  test.each<[string, Decision | undefined, Fields | null, unknown]>([
    [
      'of a new question holds what differs from the defaults',
      undefined,
      { who: 'owner', agents: false },
      { who: 'owner' },
    ],
    ['of a new question may be empty', undefined, {}, {}],
    [
      'names the default of a setting that was removed',
      { ...WAITING, who: 'owner', approves: 'reject' },
      {},
      { who: 'anyone', approves: null },
    ],
    ['removes a deadline', { ...WAITING, expires_at: LATER }, {}, { expires_at: null }],
    [
      'holds a deadline in seconds',
      { ...WAITING, expires_at: LATER },
      { expires_in: 60 },
      { expires_in: 60 },
    ],
    [
      'holds a list of people',
      { ...WAITING, who: 'listed' },
      { who: ['ann@example.com'] },
      { who: ['ann@example.com'] },
    ],
    [
      'asks an ended question again with a deadline in seconds',
      DECIDED,
      { reopen: true, expires_in: 60 },
      { reopen: true, expires_in: 60 },
    ],
  ])('the PATCH of a question covers: %s', (_, before, after, patch) => {
    expect(decisionOf(patchOf(before, after))).toEqual(patch)
  })

  test.each<[string, Decision, Fields | null, string]>([
    ['be removed', WAITING, null, 'The question of the button block “ask” can’t be removed.'],
    [
      'be changed after its end',
      DECIDED,
      { id: ID, who: 'owner' },
      'The question of the button block “ask” has ended. Turn on “Ask again”.',
    ],
  ])('a question can’t %s, with a reason', (_, before, after, reason) => {
    expect(patchOf(before, after)).toEqual({ kind: 'impossible', reasons: [reason] })
  })

  test('an unchanged question is not part of the patch of its buttons', () => {
    const after = createCardBody.parse(
      setIn(stripDefaults(stored(DECIDED)), ['blocks', 0, 'buttons', 0, 'disabled'], true),
    )
    expect(patchBetween(stored(DECIDED), after)).toEqual({
      kind: 'patch',
      body: { blocks: [{ id: 'ask', patch: { buttons: [{ id: 'approve', patch: { disabled: true } }] } }] },
    })
  })
})

describe('the JSON of a question', () => {
  test('the JSON of a question has only what differs from the defaults', () => {
    expect(questionIn(WAITING)).toEqual({})
    expect(questionIn({ ...WAITING, expires_at: LATER, who: 'members' })).toEqual({
      expires_at: LATER,
      who: 'members',
    })
  })

  test('the JSON of an ended question names it by its id, so that a PUT keeps it', () => {
    expect(questionIn({ ...DECIDED, expires_at: LATER })).toEqual({ id: ID })
  })

  test('the JSON of a question leaves out a value that the service fills in, but keeps a button’s own rule', () => {
    const now = compositionOf({
      text: JSON.stringify({ blocks: [{ ...BUTTONS, decision: {} }] }),
      card: null,
    })
    const decision = withField(now, ['blocks', 0, 'decision', 'comment'], 'none')
    expect(decision.value).toEqual(now.value)
    const button = withField(now, ['blocks', 0, 'buttons', 0, 'comment'], 'none')
    expect(JSON.parse(button.text).blocks[0].buttons[0].comment).toBe('none')
  })

  test('the JSON of a question follows its approving button to a new id, letter by letter, and no other button', () => {
    const block = { ...BUTTONS, decision: { approves: 'approve' } }
    let now = compositionOf({ text: JSON.stringify({ blocks: [block] }), card: null })
    const approves = () => JSON.parse(now.text).blocks[0].decision.approves
    const at = BUTTONS.buttons.findIndex(({ id }) => id === 'approve')
    for (const id of ['', 'g', 'go']) now = withField(now, ['blocks', 0, 'buttons', at, 'id'], id)
    expect(approves()).toBe('go')
    now = withField(now, ['blocks', 0, 'buttons', 1 - at, 'id'], 'stop')
    expect(approves()).toBe('go')
  })

  test('the JSON of a question is as it is stored once it was sent', () => {
    const asked = { reopen: true, expires_in: 60 }
    const now = compositionOf({
      text: JSON.stringify({ blocks: [{ ...BUTTONS, decision: asked }] }),
      card: null,
    })
    const after = withQuestionsOf(now, stored({ ...WAITING, expires_at: LATER }))
    expect(after.value).toEqual({ blocks: [{ ...BUTTONS, decision: { expires_at: LATER } }] })
    expect(withQuestionsOf(after, stored({ ...WAITING, expires_at: LATER }))).toBe(after)
    expect(cardTextOf(stored({ ...WAITING, expires_at: LATER })).text).toContain(LATER)
  })

  test('the JSON of a duplicate approves with the new button and has no key', () => {
    const original = { ...BUTTONS, decision: { approves: 'approve', key: 'deploy', who: 'owner' } }
    expect(duplicateOf(original, [original])).toMatchObject({
      buttons: [{ id: 'approve-2' }, { id: 'reject-2' }],
      decision: { approves: 'approve-2', who: 'owner' },
    })
    expect(duplicateOf(original, [original])).not.toHaveProperty('decision.key')
  })
})

describe('the preview of a question', () => {
  const previewed = (decision: Fields, card?: ReturnType<typeof stored>) => {
    const [first] = makePreviewCards()({ blocks: [{ ...BUTTONS, decision }] }, [1], card).blocks
    return first?.type === 'button' ? first.decision : undefined
  }

  test('the preview of a question waits, with the deadline that it would have', () => {
    const before = Date.now()
    const decision = previewed({ expires_in: 3_600, who: ['ann@example.com'] })
    expect(decision).toMatchObject({ state: 'waiting', who: 'listed', comment: 'none' })
    expect(Date.parse(decision?.expires_at ?? '')).toBeGreaterThanOrEqual(before + 3_600_000)
  })

  test('the preview of a question shows how a stored question ended, until it is asked again', () => {
    expect(previewed({ id: ID }, stored(DECIDED))).toEqual(DECIDED)
    expect(previewed({ reopen: true }, stored(DECIDED))).toMatchObject({ state: 'waiting', outcome: null })
  })
})

describe('the values of a question', () => {
  const [minutes, hours, days] = UNITS

  test.each([
    [90, '1.5', minutes],
    [5_400, '90', minutes],
    [7_200, '2', hours],
    [172_800, '2', days],
    ['soon', 'soon', minutes],
    [undefined, '', minutes],
  ])('%j seconds read as %j of a unit that fits', (value, text, unit) => {
    expect(amountOf(value)).toEqual({ text, unit })
  })

  test('an amount becomes seconds, and other text stays for the API to report', () => {
    expect(hours && ['2', '0,5', ' 1.5 ', 'two', ''].map(text => secondsOf(text, hours))).toEqual([
      7_200,
      1_800,
      5_400,
      'two',
      '',
    ])
  })

  test('addresses stand on lines, or between commas, semicolons and spaces', () => {
    expect(addressesOf(' a@x.example,b@x.example\n\nc@x.example; ')).toEqual([
      'a@x.example',
      'b@x.example',
      'c@x.example',
    ])
  })
})

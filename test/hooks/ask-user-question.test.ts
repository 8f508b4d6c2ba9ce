// Questions of Claude Code's agent: the card, and the answers in the agent's own words.
import { describe, expect, test } from 'vitest'
import { claudeCode } from '../../server/hooks/claude-code.ts'
import { answered, asked, pressed, textsOf } from './planned.ts'
import { authentication, claudeQuestions, extras } from './requests.ts'

const TITLE = 'Claude Code a1b2 · AskUserQuestion in /home/ann/shop'

/** The answer of the hook that lets the tool go on. */
const withAnswers = (questions: unknown[], answers: object) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'allow',
    updatedInput: { questions, answers },
  },
})
const options = (count: number) => Array.from({ length: count }, (_, i) => ({ label: `L${i}` }))

describe('one question with few options', () => {
  const { card, answer } = asked(claudeCode, claudeQuestions())

  test('each option is a button, and its description a row above', () => {
    expect(textsOf({ card })).toEqual([
      TITLE,
      'Sign-in',
      'Which sign-in should the shop use?',
      'Passkeys: No passwords at all',
      'E-mail links: Works everywhere',
    ])
    expect(card.blocks.at(-1)).toEqual({
      type: 'button',
      id: 'ask',
      buttons: [
        { id: 'o0', label: 'Passkeys', style: 'secondary', disabled: false },
        { id: 'o1', label: 'E-mail links', style: 'secondary', disabled: false },
        { id: 'o2', label: 'Passwords', style: 'secondary', disabled: false },
        { id: 'other', label: 'Something else', style: 'secondary', disabled: false, comment: 'required' },
      ],
    })
    expect(card.questions?.[0]?.settings).toEqual({
      key: 'claude-code/a1b2c3d4-5e6f-4a7b-8c9d-0e1f2a3b4c5d/toolu_01A09q90qw90lq917835lq9',
      approves: null,
      if_changed: 'refuse',
      abandon: 'cancel',
      agents: false,
      expires_in: 590,
      who: ['ann@example.com'],
    })
  })

  test('a button answers with its label', () => {
    expect(answer(pressed('o1'))).toEqual(
      withAnswers([authentication], { 'Which sign-in should the shop use?': 'E-mail links' }),
    )
  })

  test('“Something else” answers with the comment', () => {
    expect(answer(pressed('other', { comment: 'Ask the bank' }))).toEqual(
      withAnswers([authentication], { 'Which sign-in should the shop use?': 'Ask the bank' }),
    )
  })

  test.each([
    ['nobody', null],
    ['somebody without words', pressed('other', { comment: ' ' })],
    ['an unknown option', pressed('o3')],
    ['another button', pressed('allow')],
  ])('an answer of %s leaves the question to the host', (_, outcome) => {
    expect(answer(outcome)).toEqual({})
  })
})

describe('more', () => {
  const { card, answer } = asked(claudeCode, claudeQuestions([authentication, extras]))
  const send = (values: NonNullable<Parameters<typeof answer>[0]>['values']) =>
    answer(pressed('send', { values }))

  test('several questions are fields with one button', () => {
    expect(textsOf({ card })).toEqual([
      TITLE,
      'Sign-in',
      'Which sign-in should the shop use?',
      'Passkeys: No passwords at all',
      'E-mail links: Works everywhere',
      'Extras',
      'Which extras?',
      'Metrics: Prometheus',
      'Tracing: OpenTelemetry',
    ])
    const fields = card.blocks.filter(({ type }) => !['text', 'kv'].includes(type))
    expect(fields).toMatchObject([
      {
        type: 'select',
        id: 'q0',
        required: true,
        options: [
          { value: 'o0', label: 'Passkeys' },
          { value: 'o1', label: 'E-mail links' },
          { value: 'o2', label: 'Passwords' },
          { value: 'other', label: 'Something else' },
        ],
      },
      { type: 'input', id: 'x0', label: 'Something else', required: false },
      { type: 'multiselect', id: 'q1', required: true },
      { type: 'input', id: 'x1' },
      { type: 'button', buttons: [{ id: 'send' }] },
    ])
  })

  test('labels of several options are joined', () => {
    expect(send({ q0: 'o0', x0: '', q1: ['o0', 'other'], x1: ' Logs ' })).toEqual(
      withAnswers([authentication, extras], {
        'Which sign-in should the shop use?': 'Passkeys',
        'Which extras?': 'Metrics, Logs',
      }),
    )
  })

  test.each([
    ['one without words', { q0: 'other', x0: '', q1: ['o0'], x1: '' }],
    ['one without a choice', { q0: 'o0', x0: '', q1: [], x1: 'Logs' }],
    ['a missing field', { q0: 'o0' }],
    ['a choice that is no text', { q0: true, q1: ['o0'] }],
    ['an unknown option', { q0: 'o9', q1: ['o0'] }],
  ])('answers with %s are left to the host', (_, values) => {
    expect(send(values)).toEqual({})
  })

  test.each([
    [6, ['button']],
    [7, ['select', 'input', 'button']],
  ])('one question with %i options has the fields %j', (count, types) => {
    const question = { ...authentication, options: options(count) }
    const { card } = asked(claudeCode, claudeQuestions([question]))
    expect(card.blocks.slice(3).map(({ type }) => type)).toEqual(types)
  })

  test('one question with several choices is a field', () => {
    const { card } = asked(claudeCode, claudeQuestions([extras]))
    expect(card.blocks.map(({ type }) => type)).toContain('multiselect')
  })
})

describe('card', () => {
  test('hidden characters show, and the answer has them as they were', () => {
    const question = 'Which\u200b?'
    const one = { question, header: '', options: [{ label: 'A\u202eB' }], multiSelect: false }
    const { card, answer } = asked(claudeCode, claudeQuestions([one]))
    expect(textsOf({ card })).toEqual([TITLE, 'Hidden characters', 'Which\\u{200B}?'])
    expect(answer(pressed('o0'))).toEqual(withAnswers([one], { [question]: 'A\u202eB' }))
  })

  test.each<[string, unknown[]]>([
    ['no question', []],
    ['a question without options', [{ ...authentication, options: [] }]],
    ['a question without words', [{ ...authentication, question: '' }]],
    ['an option without a label', [{ ...authentication, options: [{ label: '' }] }]],
    ['two questions with the same words', [authentication, authentication]],
    ['a preview', [{ ...authentication, options: [{ label: 'A', preview: '<b>' }] }]],
    ['a field of another release', [{ ...authentication, urgent: true }]],
    ['more options than a field holds', [{ ...authentication, options: options(100) }]],
    ['too many characters', [{ ...authentication, question: 'x'.repeat(4_000) }]],
  ])('%s leaves the question to the host', (_, questions) => {
    expect(answered(claudeCode, claudeQuestions(questions))).toEqual({})
  })
})

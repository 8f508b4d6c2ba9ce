// The step `ask` against a running service: what it shows, how each ending reads, and what it leaves behind.
import { describe, expect, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import { RUNTIMES, startStep, stepInputs } from '../support/action-run.ts'
import { answer, answerNext, nextQuestion } from '../support/answering.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()
const newInputs = (more?: Record<string, string>) => stepInputs(service, ann, more)

describe.each(RUNTIMES)('the step in $name', ({ command }) => {
  test('the first choice ends the step with 0, and every output has its value', async () => {
    const inputs = await newInputs({ comment: 'required', choices: 'Deploy\nNot now\n' })
    const step = startStep(inputs, command)
    const asked = await answerNext(ann, inputs.channel, { button_id: 'Deploy', comment: 'go\nnow' })
    expect(await step.ended).toBe(0)
    expect(step.outputs()).toEqual({
      choice: 'Deploy',
      label: 'Deploy',
      approved: 'true',
      by: 'Ann',
      comment: 'go\nnow',
      values: '{}',
      url: asked.url,
      handle: `${asked.channel_id}/${asked.id}`,
      jws: expect.any(String),
    })
    expect(step.printed()).toBe(`::notice::Waiting: ${asked.url}\n`)
    expect(step.summary()).toBe('### Deploy v42\\?\n\nAnn chose Deploy\\: go now\n')
  })

  test('another choice ends the step with 1, in one line, however its comment is written', async () => {
    const inputs = await newInputs()
    const step = startStep(inputs, command)
    const comment = '100 % sure\n::set-output name=approved::true'
    await answerNext(ann, inputs.channel, { button_id: 'Reject', comment })
    expect(await step.ended).toBe(1)
    expect(step.printed()).toMatch(
      /^::notice::Waiting: \S+\n::error::Ann chose Reject: 100 %25 sure%0A::set-output name=approved::true\n$/,
    )
    expect(step.outputs()).toMatchObject({ choice: 'Reject', approved: 'false', comment })
    expect(step.summary()).toContain('Ann chose Reject\\: 100 \\% sure \\:\\:set\\-output')
  })

  test.each(['SIGINT', 'SIGTERM'] as const)(
    '%s closes the question and ends the step with 130',
    async signal => {
      const inputs = await newInputs()
      const step = startStep(inputs, command)
      const { id } = await nextQuestion(ann, inputs.channel)
      await expect.poll(step.printed).toContain('Waiting')
      step.process.kill(signal)
      expect(await step.ended).toBe(130)
      const { body } = await ann.key('GET', `/channels/${inputs.channel}/decisions/${id}`)
      expect(body).toMatchObject({ state: 'cancelled', reason: 'withdrawn' })
      expect(step.printed()).toContain('::error::The run was cancelled, which closed the question\n')
      expect(step.outputs()).toEqual(NOBODY)
    },
  )
})

const NOBODY = { approved: 'false', url: expect.any(String), handle: expect.any(String) }

test('the card says where the job comes from, and links to its run', async () => {
  const inputs = await newInputs({ details: 'See the changelog.', who: 'members', 'expires-in': '1h' })
  startStep(inputs)
  const { card_id, expires_at, ...decision } = await nextQuestion(ann, inputs.channel)
  const { body } = await ann.key<Card>('GET', `/channels/${inputs.channel}/cards/${card_id}`)
  expect(body.status).toBe('pending')
  expect(body.blocks).toMatchObject([
    { type: 'text', content: 'Deploy v42?', size: 'lg' },
    { type: 'text', content: 'See the changelog.' },
    {
      type: 'kv',
      rows: [
        { key: 'Repository', value: 'ann/shop' },
        { key: 'Ref', value: 'main' },
        { key: 'Commit', value: 'ffac537e6cbbf934b08745a378932722df287a53' },
        { key: 'Workflow', value: 'Release' },
        { key: 'Actor', value: 'ann' },
        { key: 'Run', value: 'https://github.com/ann/shop/actions/runs/42' },
      ],
    },
    {
      type: 'button',
      buttons: [
        { id: 'Approve', style: 'primary' },
        { id: 'Reject', style: 'danger' },
      ],
    },
  ])
  expect(decision).toMatchObject({
    approves: 'Approve',
    who: 'members',
    comment: 'optional',
    if_changed: 'refuse',
    abandon: 'cancel',
    agents: false,
  })
  expect(Date.parse(expires_at ?? '') - Date.parse(decision.asked_at)).toBe(3_600_000)
})

test.each([
  ['after an approval', {}],
  ['without a connection', { url: 'http://127.0.0.1:1' }],
])('the key is masked first, and %s it is in no output', async (_, wrong) => {
  const inputs = await newInputs()
  const step = startStep({ ...inputs, ...wrong })
  if (!('url' in wrong)) await answerNext(ann, inputs.channel, { button_id: 'Approve' })
  await step.ended
  expect(step.mask()).toBe(`::add-mask::${inputs.key}\n`)
  const written = [step.printed(), JSON.stringify(step.outputs()), step.summary()].join('\n')
  expect(written).toContain('url' in wrong ? '::error::' : 'Approve')
  expect(written).not.toContain(inputs.key)
})

test('the addresses of those who may decide are separated by commas', async () => {
  const inputs = await newInputs({ who: ` ${ann.email} , ` })
  const step = startStep(inputs)
  const asked = await nextQuestion(ann, inputs.channel)
  expect(asked.who).toEqual([ann.email])
  await answer(ann, asked, { button_id: 'Approve' })
  expect(await step.ended).toBe(0)
})

describe('a question that nobody answers', () => {
  test('the step names the deadline that has passed', async () => {
    const inputs = await newInputs({ 'expires-in': '1s' })
    const step = startStep(inputs)
    expect(await step.ended).toBe(1)
    expect(step.printed()).toMatch(/\n::error::Nobody decided before \d\d:\d\d\n$/)
    expect(step.summary()).toMatch(/^### Deploy v42\\\?\n\nNobody decided before \d\d\\:\d\d\n$/)
    expect(step.outputs()).toEqual(NOBODY)
  })

  test.each([
    ['decision', 'Somebody closed the question'],
    ['card', 'The card was deleted'],
    ['channel', 'The card was deleted'],
  ] as const)('deleting the %s ends the step with 1: %s', async (kind, words) => {
    const inputs = await newInputs()
    const step = startStep(inputs)
    const { id, card_id } = await nextQuestion(ann, inputs.channel)
    await expect.poll(step.printed).toContain('Waiting')
    const path = { decision: `/decisions/${id}`, card: `/cards/${card_id}`, channel: '' }[kind]
    await ann.key('DELETE', `/channels/${inputs.channel}${path}`)
    expect(await step.ended).toBe(1)
    expect(step.printed()).toContain(`\n::error::${words}\n`)
    expect(step.outputs()).toEqual(NOBODY)
  })
})

test.each([
  ['without a question', { question: ' ' }, 'question is required'],
  ['without a key', { key: '' }, 'key is required'],
  ['with a wrong comment', { comment: 'yes' }, 'comment must be one of none, optional, required'],
  ['with a wrong time', { 'expires-in': 'soon' }, 'expires-in must be a time such as 45m, 1h or 2d'],
  ['with a wrong key', { key: 'cf_wrong' }, 'Unauthorized'],
  ['with a wrong channel', { channel: 'nowhere' }, 'Channel not found'],
  ['with a wrong address', { url: 'feed' }, 'url must be an address such as https://feed.example.com'],
])('a step %s ends with 1, says so and asks nothing', async (_, wrong, message) => {
  const inputs = await newInputs()
  const step = startStep({ ...inputs, ...wrong })
  expect(await step.ended).toBe(1)
  expect(step.printed()).toBe(`::error::${message}\n`)
  expect(step.outputs()).toEqual({})
  const { body } = await ann.key('GET', `/channels/${inputs.channel}/cards`)
  expect(body).toMatchObject({ cards: [] })
})

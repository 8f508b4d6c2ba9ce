// `feed.review` against a running service: what the person sees, and what the agent gets back.
import { describe, expect, test } from 'vitest'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { DecisionCancelled, InvalidRequestError } from '../../client/errors.ts'
import type { ReviewType } from '../../client/review.ts'
import { verifyDecision } from '../../client/verify.ts'
import type { Card } from '../../shared/card.ts'
import { answer, answerNext, type Given, nextQuestion } from '../support/answering.ts'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'

const { service, ann } = await runWithOwner()
const client = new ChannelFeed({ url: service.url, key: ann.api_key })

/** In a channel of its own, so that tests can run at the same time. */
const newFeed = async () => client.channel(await createChannel(ann, { mode: 'interactive' }))

const action = 'send_email'
const args = { to: 'bob@example.com', copies: 2, urgent: false, tags: ['a', 'b'] }
const allFour: ReviewType[] = ['approve', 'edit', 'reject', 'respond']

/** What the agent gets when a person presses this. */
async function reviewed(given: Given, allow: ReviewType[] = allFour, more: { schema?: object } = {}) {
  const feed = await newFeed()
  const result = feed.review({ action, args, allow, ...more })
  await answerNext(ann, feed.id, given)
  const { decision, ...outcome } = await result
  expect(decision).toMatchObject({ state: 'decided', outcome: { button_id: given.button_id } })
  return outcome
}

async function cardOf(channel_id: string): Promise<Card> {
  const { id, card_id } = await nextQuestion(ann, channel_id)
  const { body } = await ann.key<Card>('GET', `/channels/${channel_id}/cards/${card_id}`)
  await ann.key('DELETE', `/channels/${channel_id}/decisions/${id}`)
  return body
}

/** The card of a review, which is then withdrawn. */
async function shownBy(request: Parameters<Awaited<ReturnType<typeof newFeed>>['review']>[0]) {
  const feed = await newFeed()
  const withdrawn = expect(feed.review(request)).rejects.toThrow(DecisionCancelled)
  const { blocks, status } = await cardOf(feed.id)
  await withdrawn
  return { status, blocks: blocks.filter(({ type }) => type !== 'button'), buttons: blocks.at(-1) }
}

describe('the card', () => {
  test('texts, numbers and booleans are prefilled inputs, and the rest is JSON', async () => {
    const { blocks, status } = await shownBy({ action, description: 'To the customer', args })
    expect(status).toBe('pending')
    expect(blocks).toMatchObject([
      { type: 'text', content: 'send_email', size: 'lg' },
      { type: 'text', content: 'To the customer' },
      { type: 'input', id: 'arg:to', label: 'to', value: 'bob@example.com', input_type: 'text' },
      { type: 'input', id: 'arg:copies', label: 'copies', value: '2', input_type: 'number' },
      { type: 'toggle', id: 'arg:urgent', label: 'urgent', value: false },
      { type: 'text', id: 'args', content: '{\n  "tags": [\n    "a",\n    "b"\n  ]\n}' },
    ])
  })

  test('without edit, all arguments are JSON', async () => {
    const { blocks } = await shownBy({ action, args, allow: ['approve', 'reject'] })
    expect(blocks).toMatchObject([
      { content: 'send_email' },
      { type: 'text', id: 'args', content: JSON.stringify(args, null, 2) },
    ])
  })

  test('an enum of the schema is a list of options', async () => {
    const schema = {
      properties: { to: { enum: ['bob@example.com', 'eve@example.com'] }, copies: { enum: [1, 2] } },
    }
    const { blocks } = await shownBy({ action, args, schema })
    expect(blocks.slice(1, 3)).toMatchObject([
      {
        type: 'select',
        id: 'arg:to',
        value: 'bob@example.com',
        options: [{ value: 'bob@example.com' }, { value: 'eve@example.com' }],
      },
      { type: 'select', id: 'arg:copies', value: '2', options: [{ value: '1' }, { value: '2' }] },
    ])
  })

  test('an invisible character is an escape, with a badge', async () => {
    const badge = { type: 'badge', label: 'Hidden characters', variant: 'warning' }
    const path = '/tmp/\u202egpj.exe'
    const { blocks } = await shownBy({ action, args: { path } })
    expect(blocks).toMatchObject([
      {},
      badge,
      { id: 'args', content: '{\n  "path": "/tmp/\\u202egpj.exe"\n}' },
    ])
    const titled = await shownBy({ action: 'rm\u200b', description: '\u202eok', args: { path: '/' } })
    expect(titled.blocks).toMatchObject([{ content: 'rm\\u{200B}' }, { content: '\\u{202E}ok' }, badge, {}])
  })

  const approve = { id: 'approve', label: 'Approve', style: 'primary' }
  const reject = { id: 'reject', label: 'Reject', style: 'danger', comment: 'optional' }
  const respond = { id: 'respond', label: 'Respond', style: 'secondary', comment: 'required' }
  test.each<[ReviewType[], object[], string | null]>([
    [allFour, [approve, reject, respond], 'approve'],
    [['approve'], [approve], 'approve'],
    [['edit', 'respond'], [approve, respond], 'approve'],
    [['reject', 'respond'], [reject, respond], null],
    [['respond'], [respond], null],
  ])('the buttons for %j: only approve approves', async (allow, buttons, approves) => {
    expect((await shownBy({ action, args, allow })).buttons).toMatchObject({
      buttons,
      decision: { approves, if_changed: 'refuse' },
    })
  })

  test('the options of ask apply', async () => {
    const feed = await newFeed()
    const withdrawn = expect(
      feed.review({ action, args, key: 'mail-1', who: 'members', expires_in: 60, abandon: 'cancel' }),
    ).rejects.toThrow(DecisionCancelled)
    const asked = await nextQuestion(ann, feed.id)
    expect(asked).toMatchObject({ key: 'mail-1', who: 'members', abandon: 'cancel' })
    expect(asked.expires_at).not.toBeNull()
    await ann.key('DELETE', `/channels/${feed.id}/decisions/${asked.id}`)
    await withdrawn
  })
})

describe('the outcome', () => {
  test('approve without a change is an approval', async () => {
    expect(await reviewed({ button_id: 'approve' })).toEqual({ type: 'approve' })
    const same = { 'arg:to': 'bob@example.com', 'arg:copies': '2', 'arg:urgent': false }
    expect(await reviewed({ button_id: 'approve', values: same })).toEqual({ type: 'approve' })
  })

  test('approve with a change is an edit of these arguments, with their types', async () => {
    const values = { 'arg:to': 'eve@example.com', 'arg:copies': '-1.5e1', 'arg:urgent': true }
    expect(await reviewed({ button_id: 'approve', values })).toEqual({
      type: 'edit',
      args: { to: 'eve@example.com', copies: -15, urgent: true, tags: ['a', 'b'] },
    })
  })

  test('a chosen option keeps its type', async () => {
    const schema = { properties: { copies: { enum: [1, 2, 3] } } }
    const outcome = await reviewed({ button_id: 'approve', values: { 'arg:copies': '3' } }, allFour, {
      schema,
    })
    expect(outcome).toEqual({ type: 'edit', args: { ...args, copies: 3 } })
  })

  test('an approval is an edit where approving isn’t allowed', async () => {
    expect(await reviewed({ button_id: 'approve' }, ['edit', 'reject'])).toEqual({ type: 'edit', args })
  })

  test.each(['', '1e999'])('the number %j rejects the action', async entered => {
    const outcome = await reviewed({ button_id: 'approve', values: { 'arg:copies': entered } })
    const message = `copies must be a number, not ${JSON.stringify(entered)}`
    expect(outcome).toEqual({ type: 'reject', message })
  })

  test('reject carries the comment, or says who rejected', async () => {
    const comment = 'wrong customer'
    expect(await reviewed({ button_id: 'reject', comment })).toEqual({ type: 'reject', message: comment })
    const values = { 'arg:to': 'eve@example.com' }
    expect(await reviewed({ button_id: 'reject', values })).toEqual({
      type: 'reject',
      message: 'Ann rejected this',
    })
  })

  test('respond carries the comment', async () => {
    const comment = 'Sent it myself'
    expect(await reviewed({ button_id: 'respond', comment })).toEqual({ type: 'respond', message: comment })
  })

  test('the values are those that the person saw, even if another automation changed them', async () => {
    const feed = await newFeed()
    const result = feed.review({ action, args })
    const asked = await nextQuestion(ann, feed.id)
    const blocks = [{ id: 'arg:to', patch: { value: 'eve@example.com' } }]
    await ann.key('PATCH', `/channels/${feed.id}/cards/${asked.card_id}`, { blocks })
    await answer(ann, asked, { button_id: 'approve' })
    expect(await result).toMatchObject({ type: 'edit', args: { ...args, to: 'eve@example.com' } })
  })
})

test('the signature of a review without edit proves exactly its arguments', async () => {
  const feed = await newFeed()
  const hidden = { path: '/tmp/\u202egpj.exe', flags: ['-f'] }
  const result = feed.review({ action: 'rm', args: hidden, allow: ['approve', 'reject'] })
  await answerNext(ann, feed.id, { button_id: 'approve' })
  const { decision } = await result
  const { jws, card } = await client.decision(`${feed.id}/${decision.id}`).signed()
  const verify = (shown: object) => verifyDecision(jws, { issuer: service.url, card, args: shown })
  await expect(verify(hidden)).resolves.toMatchObject({ approved: true })
  await expect(verify({ ...hidden, flags: [] })).rejects.toMatchObject({ code: 'args' })
})

describe('arguments that no card can show', () => {
  const silent = new ChannelFeed({
    url: 'http://localhost',
    key: 'cf_unused',
    fetch: () => Promise.reject(new Error('no request may be sent')),
  }).channel('any')

  const tooLong = (what: string) => `The arguments are too long to show: ${what}`
  const notJson = 'The arguments must be JSON'
  test.each([
    ['a long text', { text: 'x'.repeat(4_001) }, tooLong('4005 characters, at most 4000')],
    ['long JSON', { to: [], text: ['x'.repeat(6_082)] }, tooLong('6120 characters, at most 4000')],
    ['many lines', { list: Array.from({ length: 200 }, () => 1) }, tooLong('204 lines, at most 200')],
    ['no number', { price: Number.NaN }, notJson],
    ['a date', { when: new Date(0) }, notJson],
    ['a map', { to: new Map([['a', 'b']]) }, notJson],
    ['a hole', { list: [undefined] }, notJson],
    ['a function', { run: () => {} }, notJson],
  ])('%s throws before any request', async (_, unshown, message) => {
    const error = await silent.review({ action, args: unshown }).catch(reason => reason)
    expect(error).toBeInstanceOf(InvalidRequestError)
    expect(error).toMatchObject({ status: null, message })
  })

  test('a list of nothing, or of something unknown, is refused', async () => {
    const message = 'allow must name some of approve, edit, reject, respond'
    const unknown = JSON.parse('["ignore"]')
    for (const allow of [[], unknown])
      await expect(silent.review({ action, args, allow })).rejects.toThrow(message)
  })
})

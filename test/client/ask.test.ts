// Questions: what is pushed, and every way in which a wait ends.
import { describe, expect, test } from 'vitest'
import type { AskOptions } from '../../client/ask.ts'
import type { ChannelHandle } from '../../client/channel.ts'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { AuthError, ConflictError, NotFoundError } from '../../client/errors.ts'
import { createTestKey } from '../support/account.ts'
import { answer, answerNext } from '../support/answering.ts'
import { cancelledBecause, startAsking } from '../support/asking.ts'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'
import { until } from '../support/viewer.ts'

const { service, ann } = await runWithOwner()
const client = new ChannelFeed({ url: service.url, key: ann.api_key })

const newFeed = async (through = client): Promise<ChannelHandle> =>
  through.channel(await createChannel(ann, { mode: 'interactive' }))
const cardsOf = async (feed: ChannelHandle) => (await feed.cards().page()).cards
const question = 'Deploy v42?'

describe('the card of a question', () => {
  test('it has the question, the details, the fields and two choices', async () => {
    const { feed, decision } = await startAsking(ann, await newFeed(), {
      details: 'To production',
      fields: [{ type: 'input', id: 'note', label: 'Note' }],
      comment: 'optional',
      who: 'owner',
      abandon: 'cancel',
      expires_in: 3_600,
      key: 'deploy-42',
    })
    const [card] = await cardsOf(feed)
    expect(card).toMatchObject({
      status: 'pending',
      blocks: [
        { type: 'text', content: question, size: 'lg' },
        { type: 'text', content: 'To production' },
        { type: 'input', id: 'note' },
        {
          type: 'button',
          buttons: [
            { id: 'Approve', label: 'Approve', style: 'primary' },
            { id: 'Reject', label: 'Reject', style: 'danger' },
          ],
        },
      ],
    })
    expect(decision).toMatchObject({
      approves: 'Approve',
      if_changed: 'refuse',
      comment: 'optional',
      who: 'owner',
      abandon: 'cancel',
      agents: false,
      key: 'deploy-42',
      expires_at: expect.any(String),
    })
  })

  test('choices may be strings and objects, and the first one approves', async () => {
    const choices = ['Deploy', { id: 'no', label: 'Not now', style: 'danger', confirm: 'Sure?' }] as const
    const { feed, decision } = await startAsking(ann, await newFeed(), { choices, status: 'warning' })
    expect(decision.approves).toBe('Deploy')
    const [card] = await cardsOf(feed)
    expect(card?.status).toBe('warning')
    expect(card?.blocks.at(-1)).toMatchObject({
      buttons: [
        { id: 'Deploy', label: 'Deploy', style: 'primary' },
        { id: 'no', label: 'Not now', style: 'danger', confirm: 'Sure?' },
      ],
    })
  })

  test('`blocks` take the place of question, details and fields', async () => {
    const blocks: AskOptions['blocks'] = [{ type: 'badge', id: 'env', label: 'Production' }]
    const { feed } = await startAsking(ann, await newFeed(), { blocks, details: 'not shown' })
    const [card] = await cardsOf(feed)
    expect(card?.blocks.map(({ type }) => type)).toEqual(['badge', 'button'])
  })

  test.each<[string, object]>([
    ['question is required', { question: '' }],
    ['choices must have 1 to 10 items', { choices: [] }],
    ['choices must have 1 to 10 items', { choices: Array.from({ length: 11 }, (_, i) => `${i}`) }],
    ['reuse_for needs a key', { reuse_for: 60 }],
  ])('%s: nothing is pushed', async (message, options) => {
    const feed = await newFeed()
    await expect(feed.ask({ question, ...options })).rejects.toMatchObject({ status: 400, message })
    expect(await cardsOf(feed)).toEqual([])
  })

  test('what the service refuses is an error that names the field', async () => {
    const feed = await newFeed()
    await expect(feed.ask({ question, expires_in: 0 })).rejects.toThrow(
      'blocks[1].decision.expires_in must be a whole number',
    )
  })
})

describe('a decided question', () => {
  test('the first choice is approved, and the answer says who chose what', async () => {
    const fields: AskOptions['fields'] = [{ type: 'input', id: 'note', label: 'Note' }]
    const { feed, answered, decision, handle } = await startAsking(ann, await newFeed(), {
      fields,
      comment: 'optional',
    })
    const values = { note: 'soon' }
    await answer(ann, decision, { button_id: 'Approve', comment: 'go', values })
    const given = await answered
    expect(given).toMatchObject({
      choice: 'Approve',
      approved: true,
      label: 'Approve',
      comment: 'go',
      values,
      by: { kind: 'owner', name: 'Ann' },
      decided_at: given.decision.ended_at,
      handle,
      url: decision.url,
      card_id: decision.card_id,
      jws: expect.stringMatching(/^ey/),
      decision: { state: 'decided' },
    })
    expect(await client.decision(handle).wait()).toEqual(given)
    expect(await client.decision(handle).get()).toEqual(given.decision)
    expect((await client.decision(handle).signed()).jws).toBe(given.jws)
    expect(await feed.cardDecision(given.card_id ?? '')).toEqual(given.decision)
  })

  test('another choice is not approved', async () => {
    const { answered, decision } = await startAsking(ann, await newFeed())
    await answer(ann, decision, { button_id: 'Reject' })
    expect(await answered).toMatchObject({ choice: 'Reject', approved: false })
  })

  test.each([
    ['Approve', true],
    ['Reject', false],
  ])('`confirm` returns for %s %j', async (button_id, approved) => {
    const feed = await newFeed()
    const confirmed = feed.confirm(question)
    await answerNext(ann, feed.id, { button_id })
    expect(await confirmed).toBe(approved)
  })

  test('`onAsked` gets the handle while the question waits', async () => {
    const names: { handle: string; card_id: string; url: string }[] = []
    const { decision, handle } = await startAsking(ann, await newFeed(), {
      onAsked: name => names.push(name),
    })
    expect(names).toEqual([{ handle, card_id: decision.card_id, url: decision.url }])
  })

  test('the type of the choice is the union of the ids', async () => {
    const feed = await newFeed()
    const answered = feed.ask({ question, choices: ['Deploy', { id: 'no', label: 'Not now' }] })
    await answerNext(ann, feed.id, { button_id: 'no' })
    const { choice } = await answered
    const ids: 'Deploy' | 'no' = choice
    expect(ids).toBe('no')
  })
})

describe('a question that nobody decides', () => {
  test('its deadline throws DecisionExpired', async () => {
    const { answered, handle } = await startAsking(ann, await newFeed(), { expires_in: 1 })
    await expect(answered).rejects.toMatchObject({
      name: 'DecisionExpired',
      handle,
      code: 'expired',
      decision: { state: 'expired' },
    })
  })

  test('closing it throws DecisionCancelled, for everyone who waits', async () => {
    const { answered, handle } = await startAsking(ann, await newFeed())
    const other = client.decision(handle).wait()
    expect(await client.decision(handle).cancel()).toMatchObject({ state: 'cancelled' })
    for (const wait of [answered, other])
      await expect(wait).rejects.toMatchObject(cancelledBecause('withdrawn', handle))
  })

  test('deleting its card or its channel throws DecisionCancelled', async () => {
    const card = await startAsking(ann, await newFeed())
    await card.feed.remove(card.decision.card_id ?? '')
    await expect(card.answered).rejects.toMatchObject(cancelledBecause('deleted', card.handle))
    const channel = await startAsking(ann, await newFeed())
    await until(
      () => service.waits.open.some(({ decision_id }) => decision_id === channel.decision.id),
      'it waits',
    )
    await channel.feed.delete()
    await expect(channel.answered).rejects.toMatchObject(cancelledBecause('deleted', channel.handle))
  })

  test('its own timeout throws StillWaiting, and leaves the question open', async () => {
    const { answered, handle } = await startAsking(ann, await newFeed(), { timeout: 300 })
    await expect(answered).rejects.toMatchObject({
      name: 'StillWaiting',
      handle,
      code: 'still_waiting',
      decision: { state: 'waiting' },
    })
    expect((await client.decision(handle).get()).state).toBe('waiting')
  })

  test('a deleted key ends the wait with an AuthError', async () => {
    const { id, key } = await createTestKey(ann.session)
    const feed = await newFeed(new ChannelFeed({ url: service.url, key }))
    const { answered } = await startAsking(ann, feed)
    await ann.session('DELETE', `/api-keys/${id}`)
    await expect(answered).rejects.toThrow(AuthError)
  })

  test('an unknown handle is not found, rather than cancelled', async () => {
    const { feed } = await startAsking(ann, await newFeed())
    const handle = `${feed.id}/00000000-0000-4000-8000-000000000000`
    await expect(client.decision(handle).wait()).rejects.toThrow(NotFoundError)
  })

  test('a decided question can’t be cancelled', async () => {
    const { decision, handle } = await startAsking(ann, await newFeed())
    await answer(ann, decision, { button_id: 'Reject' })
    await expect(client.decision(handle).cancel()).rejects.toThrow(ConflictError)
  })
})

// Questions with a key: joined while they wait, asked again afterwards, and reused only on request.
import { describe, expect, test } from 'vitest'
import type { AskOptions } from '../../client/ask.ts'
import type { ChannelHandle } from '../../client/channel.ts'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { answer } from '../support/answering.ts'
import { startAsking } from '../support/asking.ts'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'
import { until } from '../support/viewer.ts'

const { service, ann } = await runWithOwner()
const client = new ChannelFeed({ url: service.url, key: ann.api_key })

const newFeed = async (): Promise<ChannelHandle> =>
  client.channel(await createChannel(ann, { mode: 'interactive' }))
const cardsOf = async (feed: ChannelHandle) => (await feed.cards().page()).cards
const question = 'Deploy v42?'
const key = 'deploy-42'

describe('a question with a key', () => {
  test('two that ask the same join one question, and one that leaves doesn’t close it', async () => {
    const { feed, decision, answered } = await startAsking(ann, await newFeed(), { key, abandon: 'cancel' })
    const controller = new AbortController()
    const options = { question, key, abandon: 'cancel', signal: controller.signal } as const
    const second = feed.ask(options)
    await until(() => service.waits.open.filter(one => one.decision_id === decision.id).length === 2, 'both')
    controller.abort(new Error('gone'))
    await expect(second).rejects.toThrow('gone')
    await answer(ann, decision, { button_id: 'Approve' })
    expect((await answered).choice).toBe('Approve')
    expect(await cardsOf(feed)).toHaveLength(1)
  })

  test('other words under the same key are a ConflictError', async () => {
    const { feed } = await startAsking(ann, await newFeed(), { key })
    await expect(feed.ask({ question: 'Deploy v43?', key })).rejects.toMatchObject({
      name: 'ConflictError',
      message: 'A different question with this key is waiting',
    })
  })

  test('an earlier decision doesn’t count', async () => {
    const { feed, decision, answered } = await startAsking(ann, await newFeed(), { key })
    await answer(ann, decision, { button_id: 'Approve' })
    await answered
    const again = await startAsking(ann, feed, { key, timeout: 0 })
    expect(again.decision.id).not.toBe(decision.id)
    expect(await cardsOf(feed)).toHaveLength(2)
  })
})

describe('`reuse_for`', () => {
  const DAY_S = 86_400
  const NOTE = { type: 'input' as const, id: 'note', label: 'Note' }
  const options = ['eu', { value: 'us', label: 'USA' }]
  const REGION = { type: 'select' as const, id: 'region', label: 'Region', options }
  const words = {
    question,
    key,
    details: 'To production',
    choices: ['Deploy', { id: 'no', label: 'Not now', confirm: 'Sure?' }],
    fields: [NOTE, REGION],
    who: 'members',
    comment: 'optional',
  } satisfies AskOptions

  /** A feed with a decision about these words. */
  async function decided(asked: AskOptions = words, button_id = 'Deploy') {
    const feed = await newFeed()
    const { answered, decision } = await startAsking(ann, feed, asked)
    await answer(ann, decision, { button_id })
    return { feed, first: await answered }
  }
  /** The earlier answer, or null if the question is asked again. */
  async function reused(feed: ChannelHandle, asked: AskOptions): Promise<string | null> {
    const end = await feed.ask({ ...asked, timeout: 0 }).then(
      ({ handle }) => handle,
      (error: Error) => error.name,
    )
    return end === 'StillWaiting' ? null : end
  }

  test('a recent decision about the same question counts, with its choice', async () => {
    const { feed, first } = await decided()
    expect(await feed.ask({ ...words, reuse_for: DAY_S })).toEqual(first)
    const rejected = await decided(words, 'no')
    const again = await rejected.feed.ask({ ...words, reuse_for: DAY_S })
    expect(again).toMatchObject({ choice: 'no', approved: false })
    expect(await cardsOf(feed)).toHaveLength(1)
  })

  test('blocks of the caller are compared too', async () => {
    const { question: _, details: __, fields: ___, ...rest } = words
    const blocks: AskOptions['blocks'] = [
      { type: 'text', content: 'Deploy?' },
      { type: 'kv', rows: [{ key: 'Host', value: 'web-1' }] },
    ]
    const { feed, first } = await decided({ ...rest, blocks })
    expect(await reused(feed, { ...rest, blocks, reuse_for: DAY_S })).toBe(first.handle)
    const other: AskOptions['blocks'] = [{ type: 'text', content: 'Deploy?' }]
    expect(await reused(feed, { ...rest, blocks: other, reuse_for: DAY_S })).toBeNull()
  })

  test.each<[string, Partial<AskOptions>]>([
    ['another question', { question: 'Deploy v43?' }],
    ['other details', { details: 'To staging' }],
    ['no details', { details: undefined }],
    ['another first choice', { choices: [{ id: 'no', label: 'Not now', confirm: 'Sure?' }, 'Deploy'] }],
    ['another label', { choices: ['Deploy', { id: 'no', label: 'Never', confirm: 'Sure?' }] }],
    ['a choice without its confirmation', { choices: ['Deploy', { id: 'no', label: 'Not now' }] }],
    ['another field', { fields: [] }],
    ['another default of a field', { fields: [{ ...NOTE, value: 'now' }, REGION] }],
    ['other people', { who: 'owner' }],
    ['agents too', { agents: true }],
    ['another rule for comments', { comment: 'required' }],
    ['another key', { key: 'deploy-43' }],
  ])('%s is asked again', async (_, change) => {
    const { feed } = await decided()
    expect(await reused(feed, { ...words, reuse_for: DAY_S, ...change })).toBeNull()
  })

  test('a decision that is older is asked again', async () => {
    const { feed, first } = await decided()
    const yesterday = new Date(Date.now() - DAY_S * 1_000 - 5_000).toISOString()
    await service.sql`
      update decisions set decision = (decision::jsonb || ${service.sql.json({ ended_at: yesterday })}::jsonb)::json
      where id = ${first.decision.id}`
    expect(await reused(feed, { ...words, reuse_for: DAY_S })).toBeNull()
  })

  test('a decision whose card is deleted is asked again, because nobody knows what was on it', async () => {
    const { feed, first } = await decided()
    await feed.remove(first.card_id ?? '')
    expect(await reused(feed, { ...words, reuse_for: DAY_S })).toBeNull()
  })

  test('a question that expired is no decision', async () => {
    const feed = await newFeed()
    await expect(feed.ask({ ...words, expires_in: 1 })).rejects.toThrow('deadline')
    expect(await reused(feed, { ...words, reuse_for: DAY_S })).toBeNull()
  })
})

// Changing a question: PATCH, PUT by key, deleting, and asking again; while it waits, and after it ended in each way.
import { describe, expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { type Asked, ask, question } from '../support/decisions.ts'
import { invalid } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

let now = Date.now
const service = await runService({ WORKSPACE_LIMIT: '0' }, { now: () => now() })
const scene = await buildScene(service)
const { account, channel_id } = scene
const { key } = account
const cards = `/channels/${channel_id}/cards`

type Shown = { id: string; state: string; key: string | null } & Record<string, unknown>
type Answer = {
  id: string
  updated_at: string
  blocks: { decision?: Shown; buttons?: object[] }[]
  decisions: { id: string }[]
}

const ENDED = ['decided', 'expired', 'cancelled'] as const
type Ended = (typeof ENDED)[number]

let count = 0
const newKey = () => `k${++count}`
const patch = (card_id: string, fields: object) =>
  key<Answer>('PATCH', `${cards}/${card_id}`, { blocks: [{ id: 'ask', patch: fields }] })
const put = (card_key: string, decision?: object | null, call = key) =>
  call<Answer>('PUT', `${cards}/by-key/${card_key}`, { blocks: question(decision ?? {}) })
const decide = (card_id: string, Cookie = '') =>
  scene.interact({ card_id, trigger: { type: 'button_click', button_id: 'yes' } }, { Cookie })
const read = async (id: string) =>
  (await key<FullDecision>('GET', `/channels/${channel_id}/decisions/${id}`)).body
const end = async ({ id, card_id, path }: Asked, state: Ended) => {
  if (state === 'decided') await decide(card_id, account.cookie)
  if (state === 'cancelled') await key('DELETE', path)
  if (state === 'expired') await afterDeadline(() => read(id))
  expect((await read(id)).state).toBe(state)
}
async function askEnded(state: Ended, decision: object = {}): Promise<Asked> {
  const asked = await ask(key, channel_id, { ...decision, expires_in: 60 })
  await end(asked, state)
  return asked
}
/** Runs later than the deadlines of this file. */
async function afterDeadline(run: () => Promise<unknown>): Promise<void> {
  try {
    now = () => Date.now() + 61_000
    await run()
  } finally {
    now = Date.now
  }
}
/** Changes everything around a decision. */
const patchAround = (card_id: string, more: object = {}) =>
  key<Answer>('PATCH', `${cards}/${card_id}`, {
    blocks: [
      { id: 'title', patch: { content: 'Roll back?' } },
      {
        id: 'ask',
        patch: {
          buttons: [
            { id: 'yes', patch: { label: 'Do it', disabled: true, style: 'danger' } },
            { id: 'later', label: 'Later' },
          ],
          ...more,
        },
      },
    ],
  })
const cannotBeRemoved = invalid('blocks[0].patch.decision cannot be removed')
const askedAgain = async (id = '') => ({
  error: 'The question was asked again',
  code: 'asked_again',
  decision: await read(id),
})
const withoutQuestion = [[{ type: 'divider' }], [{ ...question()[2], decision: undefined }]]
const shownBy = ({ body }: { body: Answer }) => body.blocks[2]?.decision
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()

describe('PATCH of a waiting decision', () => {
  test.each([
    ['of labels and other blocks', {}],
    ['with `reopen`', { decision: { reopen: true } }],
  ])('PATCH of %s has no effect on a waiting decision, but its choices follow', async (_, more) => {
    const asked = await ask(key, channel_id)
    const before = await read(asked.id)
    await patchAround(asked.card_id, more)
    const after = await read(asked.id)
    expect(after).toEqual({
      ...before,
      choices: [
        { id: 'yes', label: 'Do it', style: 'danger' },
        { id: 'no', label: 'No', style: 'danger' },
        { id: 'later', label: 'Later', style: 'primary' },
      ],
    })
  })

  test('PATCH of a waiting decision changes the same question', async () => {
    const asked = await ask(key, channel_id, { comment: 'optional', approves: 'yes' })
    const expires_at = inSeconds(3_600)
    const answer = await patch(asked.card_id, { decision: { expires_at, who: 'owner' } })
    expect(answer.status).toBe(200)
    expect(shownBy(answer)).toMatchObject({
      id: asked.id,
      state: 'waiting',
      expires_at,
      who: 'owner',
      comment: 'optional',
      approves: 'yes',
    })
    expect(shownBy(await patch(asked.card_id, { decision: { expires_at: null } }))?.expires_at).toBeNull()
  })

  test('two patches of a waiting decision in one request both count', async () => {
    const asked = await ask(key, channel_id)
    const blocks = [{ who: 'owner' }, { comment: 'required' }].map(decision => ({
      id: 'ask',
      patch: { decision },
    }))
    const answer = await key<Answer>('PATCH', `${cards}/${asked.card_id}`, { blocks })
    expect(shownBy(answer)).toMatchObject({ id: asked.id, who: 'owner', comment: 'required' })
    expect(await read(asked.id)).toMatchObject({ who: 'owner', comment: 'required' })
  })

  test('`reopen` of a waiting decision changes nothing, not even `updated_at`', async () => {
    const asked = await ask(key, channel_id)
    const { body: before } = await key<Answer>('GET', `${cards}/${asked.card_id}`)
    const { status, body } = await patch(asked.card_id, { decision: { reopen: true } })
    expect(status).toBe(200)
    expect([body.updated_at, body.blocks]).toEqual([before.updated_at, before.blocks])
  })

  test('PATCH of a waiting decision with null returns 400', async () => {
    const asked = await ask(key, channel_id)
    expect(await patch(asked.card_id, { decision: null })).toMatchObject(cannotBeRemoved)
  })
})

describe.each(ENDED)('PATCH of a question that is %s', state => {
  test('PATCH of labels, styles and other blocks has no effect on an ended question', async () => {
    const asked = await askEnded(state)
    const before = await read(asked.id)
    const { body } = await key<Answer>('GET', `${cards}/${asked.card_id}`)
    const answer = await patchAround(asked.card_id)
    expect(answer.status).toBe(200)
    expect(shownBy(answer)).toEqual(body.blocks[2]?.decision)
    expect(await read(asked.id)).toEqual(before)
  })

  test('PATCH of the fields of an ended question returns 409 ended, and null returns 400', async () => {
    const asked = await askEnded(state)
    const error =
      'blocks[0].patch.decision has ended: send its id to keep it, a new key or reopen to ask again'
    const { status, body } = await patch(asked.card_id, { decision: { who: 'owner' } })
    expect(status).toBe(409)
    expect(body).toStrictEqual({ error, code: 'ended', decision: await read(asked.id) })
    expect(await patch(asked.card_id, { decision: null })).toMatchObject(cannotBeRemoved)
  })

  test('`reopen` asks again under a new id, with the settings so far', async () => {
    const asked = await askEnded(state, { who: [account.email], comment: 'optional' })
    const { expires_at } = await read(asked.id)
    const again = shownBy(await patch(asked.card_id, { decision: { reopen: true } }))
    expect(again).toMatchObject({ state: 'waiting', outcome: null, who: 'listed', comment: 'optional' })
    expect(again).toMatchObject({ expires_at, ended_at: null, reason: null })
    expect(again?.id).not.toBe(asked.id)
    expect(await read(again?.id ?? '')).toMatchObject({ who: [account.email] })
    expect(await read(asked.id)).toMatchObject({ state })
  })

  test('`reopen` after the deadline needs a new one', async () => {
    const asked = await askEnded(state)
    await afterDeadline(async () => {
      const decision = { reopen: true }
      expect(await patch(asked.card_id, { decision })).toMatchObject(
        invalid('blocks[0].patch.decision.expires_at is required to reopen'),
      )
      const answer = await patch(asked.card_id, { decision: { ...decision, expires_at: null } })
      expect(shownBy(answer)).toMatchObject({ state: 'waiting', expires_at: null })
    })
  })
})

describe('PUT by key', () => {
  test('PUT by key with the id, the key or neither keeps a waiting question, replaces its fields and leaves its deadline', async () => {
    const [card_key, name] = [newKey(), newKey()]
    const { body } = await put(card_key, { key: name, expires_in: 3_600, comment: 'required' })
    const id = body.decisions[0]?.id
    const { expires_at } = await read(id ?? '')
    for (const decision of [{ id }, { key: name }, {}]) {
      const answer = await put(card_key, { ...decision, who: 'signed_in' })
      expect(answer.status).toBe(200)
      expect(shownBy(answer)).toMatchObject({ id, key: name, expires_at, who: 'signed_in', comment: 'none' })
    }
  })

  test('PUT by key that changes nothing moves nothing, and a card can be written back as it was read', async () => {
    const card_key = newKey()
    await put(card_key, { who: [account.email], expires_in: 3_600 })
    const path = `${cards}/by-key/${card_key}`
    const { body: before } = await key<Answer & { status: string }>('GET', path)
    const { status, body } = await key<Answer>('PUT', path, { blocks: before.blocks, status: before.status })
    expect(status).toBe(200)
    expect([body.updated_at, body.blocks]).toEqual([before.updated_at, before.blocks])
  })

  test('PUT by key with another key cancels the waiting question and asks the new one; another id returns 409 asked_again', async () => {
    const card_key = newKey()
    const { body } = await put(card_key, { key: newKey() })
    const id = body.decisions[0]?.id ?? ''
    const next = shownBy(await put(card_key, { key: newKey() }))
    expect(next).toMatchObject({ state: 'waiting' })
    expect(await read(id)).toMatchObject({ state: 'cancelled', reason: 'replaced' })
    const refused = await put(card_key, { id })
    expect(refused.status).toBe(409)
    expect(refused.body).toStrictEqual(await askedAgain(next?.id))
  })

  test('PUT by key without the block, or without its decision, cancels a waiting question', async () => {
    for (const blocks of withoutQuestion) {
      const card_key = newKey()
      const { body } = await put(card_key)
      const id = body.decisions[0]?.id ?? ''
      const answer = await key<Answer>('PUT', `${cards}/by-key/${card_key}`, { blocks })
      expect(JSON.stringify(answer.body.blocks)).not.toContain('decision')
      expect(await read(id)).toMatchObject({ state: 'cancelled', reason: 'replaced' })
    }
  })
})

describe.each(ENDED)('PUT by key of a question that is %s', state => {
  async function putEnded() {
    const [card_key, name] = [newKey(), newKey()]
    const { body } = await put(card_key, { key: name, expires_in: 60 })
    const id = body.decisions[0]?.id ?? ''
    await end({ id, card_id: body.id, path: `/channels/${channel_id}/decisions/${id}` }, state)
    return { card_key, name, id }
  }

  test('PUT by key of an ended question with its id or its key keeps it, and ignores the fields', async () => {
    const { card_key, name, id } = await putEnded()
    for (const named of [{ id }, { key: name }])
      expect(shownBy(await put(card_key, { ...named, who: 'owner' }))).toMatchObject({
        id,
        state,
        who: 'anyone',
      })
  })

  test('PUT by key of an ended question with neither returns 409 ended, with another id 409 asked_again, and with another key asks again', async () => {
    const { card_key, id } = await putEnded()
    const error = 'blocks[2].decision has ended: send its id to keep it, a new key or reopen to ask again'
    const refused = [await put(card_key, {}), await put(card_key, { id: crypto.randomUUID() })]
    expect(refused.map(({ status }) => status)).toEqual([409, 409])
    const bodies = [{ error, code: 'ended', decision: await read(id) }, await askedAgain(id)]
    expect(refused.map(({ body }) => body)).toStrictEqual(bodies)
    const next = shownBy(await put(card_key, { key: newKey() }))
    expect(next).toMatchObject({ state: 'waiting' })
    expect(next?.id).not.toBe(id)
    expect(await read(id)).toMatchObject({ state })
  })

  test('PUT by key of an ended question without the block, or without its decision, removes it from the card', async () => {
    for (const blocks of withoutQuestion) {
      const { card_key, id } = await putEnded()
      const before = await read(id)
      const answer = await key<Answer>('PUT', `${cards}/by-key/${card_key}`, { blocks })
      expect(JSON.stringify(answer.body.blocks)).not.toContain('decision')
      expect(await read(id)).toEqual(before)
    }
  })
})

test('DELETE of a card cancels its waiting question, which stays readable without the card', async () => {
  const asked = await ask(key, channel_id)
  expect((await key('DELETE', `${cards}/${asked.card_id}`)).status).toBe(204)
  expect(await read(asked.id)).toMatchObject({ state: 'cancelled', reason: 'deleted', card_id: null })
})

test.each(ENDED)('DELETE of a card leaves a question that is %s as it is', async state => {
  const asked = await askEnded(state)
  const before = await read(asked.id)
  expect((await key('DELETE', `${cards}/${asked.card_id}`)).status).toBe(204)
  expect(await read(asked.id)).toEqual({
    ...before,
    card_id: null,
    url: `${service.url}/c/${channel_id}`,
  })
})

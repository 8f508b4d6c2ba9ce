// What a request may ask, what it answers, and its warnings.

import { describe, expect, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import { createAccount } from '../support/account.ts'
import { ask, decisionOf, question } from '../support/decisions.ts'
import { invalid } from '../support/errors.ts'
import { OPEN_QUESTION } from '../support/open-question.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const { account, channel_id } = await buildScene(service)
const { key } = account
const cards = `/channels/${channel_id}/cards`

type Shown = Pick<Card, 'blocks'>

const patch = <T>(card_id: string, fields: object) =>
  key<T>('PATCH', `${cards}/${card_id}`, { blocks: [{ id: 'ask', patch: fields }] })

describe('answers and warnings', () => {
  test('only cards that ask something have `decisions`', async () => {
    const { body } = await key('POST', cards, { blocks: [{ type: 'divider' }] })
    expect(Object.keys(body)).toEqual(['id', 'channel_id', 'created_at'])
    const asked = await key('POST', cards, { blocks: question({ who: 'owner' }) })
    expect(asked.body).toStrictEqual({
      id: expect.any(String),
      channel_id,
      created_at: expect.any(String),
      decisions: [
        {
          id: expect.any(String),
          block_id: 'ask',
          state: 'waiting',
          url: `${service.url}/c/${channel_id}?card=${asked.body.id}`,
        },
      ],
    })
  })

  test('warnings say what looks odd', async () => {
    const { body } = await key('POST', cards, { blocks: question() })
    expect(body.warnings).toEqual(['anyone with the address may decide: the workspace is public'])
    const stranger = await createAccount(service)
    const quiet = await buildScene(service, {
      account: await createAccount(service),
      mode: 'view',
      visibility: 'private',
    })
    const who = [stranger.email]
    const asked = await quiet.account.key('POST', `/channels/${quiet.channel_id}/cards`, {
      blocks: question({ who }),
    })
    expect(asked.body.warnings).toEqual([
      "nobody can decide yet: the channel's mode is view",
      'who[0] cannot see this channel',
    ])
  })
})

test.each([{}, { reopen: true }])('PATCH %j of a block without a decision opens one', async decision => {
  const [title, note, block] = question()
  const { body } = await key<{ id: string }>('POST', cards, {
    blocks: [title, note, { ...block, decision: null }],
  })
  expect(body).not.toHaveProperty('decisions')
  const { id, asked_at, ...opened } = decisionOf((await patch<Shown>(body.id, { decision })).body) ?? {}
  expect(opened).toStrictEqual(OPEN_QUESTION)
  const full = await key('GET', `/channels/${channel_id}/decisions/${id}`)
  expect(full.body).toMatchObject({ ...opened, id, asked_at, card_id: body.id, block_id: 'ask' })
})

describe('the deadline of a question', () => {
  const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString()
  const put = (name: string, decision: object) =>
    key<Shown>('PUT', `${cards}/by-key/${name}`, { blocks: question(decision) })

  test('PUT changes the deadline with `expires_at`; with `expires_in`, even null, nothing moves', async () => {
    await put('deadline', { expires_in: 60 })
    const expires_at = inSeconds(3_600)
    const { status, body } = await put('deadline', { expires_at })
    expect([status, decisionOf(body)?.expires_at]).toEqual([200, expires_at])
    for (const expires_in of [60, null])
      expect(await put('deadline', { expires_in })).toMatchObject({ status: 200, body })
    expect(decisionOf((await put('deadline', { expires_at: null })).body)?.expires_at).toBeNull()
    expect(decisionOf((await put('deadline', { expires_in: 60 })).body)?.expires_at).toBeNull()
  })

  test('PATCH changes the deadline with `expires_in`, which counts from now, even to reopen; null clears it', async () => {
    const asked = await ask(key, channel_id)
    const patched = async (decision: object) =>
      decisionOf((await patch<Shown>(asked.card_id, { decision })).body)
    const expectInAMinute = async (decision: object) => {
      const began = Date.now()
      const { state, expires_at } = (await patched({ ...decision, expires_in: 60 })) ?? {}
      expect(state).toBe('waiting')
      const left_ms = Date.parse(expires_at ?? '') - began
      expect(left_ms).toBeGreaterThanOrEqual(60_000)
      expect(left_ms).toBeLessThanOrEqual(60_000 + Date.now() - began)
    }
    await expectInAMinute({})
    expect((await patched({ expires_in: null }))?.expires_at).toBeNull()
    await key('DELETE', asked.path)
    await expectInAMinute({ reopen: true })
  })
})

describe('messages of a question', async () => {
  const asked = await ask(key, channel_id)
  const rows: [object, string][] = [
    [{ expires_at: '2020-01-01T00:00:00Z' }, 'expires_at must be in the future'],
    [{ expires_at: '2099-01-01T00:00:00Z' }, 'expires_at must be at most 366 days ahead'],
    ...['2027-02-30T00:00:00Z', '2027-02-29T00:00Z', '2026-13-01T00:00:00Z'].map(
      (expires_at): [object, string] => [{ expires_at }, 'expires_at must be an ISO 8601 timestamp'],
    ),
    ...[0, '5', 1.5, 31_622_401].map((expires_in): [object, string] => [
      { expires_in },
      'expires_in must be a whole number from 1 to 31622400',
    ]),
    [
      { expires_in: 5, expires_at: '2020-01-01T00:00:00Z' },
      'expires_in cannot be used together with expires_at',
    ],
    ...['nobody', 'listed', [], ['x'], 5, Array(51).fill('a@b.c')].map((who): [object, string] => [
      { who },
      'who must be anyone, signed_in, members, owner or 1 to 50 e-mail addresses',
    ]),
    [{ who: [account.email, 'nobody@example.com'] }, 'who[1] has no account'],
    [{ comment: 'maybe' }, 'comment must be one of none, optional, required'],
    [{ if_changed: 'ask' }, 'if_changed must be one of accept, refuse'],
    ...['stay', null].map((abandon): [object, string] => [
      { abandon },
      'abandon must be one of keep, cancel',
    ]),
    [{ approves: 'maybe' }, 'approves must be the id of one of its buttons'],
    [{ key: '' }, 'key must have 1 to 255 characters'],
    [{ key: 'a'.repeat(256) }, 'key must have 1 to 255 characters'],
  ]
  test.each(rows)('a question with %j in POST, PUT and PATCH returns 400 %s', async (decision, error) => {
    const body = { blocks: question(decision) }
    const refused = invalid(`blocks[2].decision.${error}`)
    expect(await key('POST', cards, body)).toMatchObject(refused)
    expect(await key('PUT', `${cards}/by-key/k`, body)).toMatchObject(refused)
    expect(await patch(asked.card_id, { decision })).toMatchObject(
      invalid(`blocks[0].patch.decision.${error}`),
    )
  })

  test('a comment goes with a decision', async () => {
    const stray = { type: 'button', id: 'b', buttons: [{ id: 'x', label: 'X', comment: 'optional' }] }
    expect(await key('POST', cards, { blocks: [stray] })).toMatchObject(
      invalid('blocks[0].buttons[0].comment goes with a decision'),
    )
  })

  test('a key can be used on one block of a card, whichever request brings the second', async () => {
    const asking = (decision: object) => {
      const [, , block] = question(decision)
      return block
    }
    const other = (decision?: object) => ({
      type: 'button',
      id: 'other',
      buttons: [{ id: 'x', label: 'X' }],
      decision,
    })
    const twice = invalid('decision.key can be used on one block of a card')
    const both = { blocks: [asking({ key: 'k' }), other({ key: 'l' })] }
    expect(await key('POST', cards, both)).toMatchObject(twice)
    expect(await key('PUT', `${cards}/by-key/both`, both)).toMatchObject(twice)
    const path = `${cards}/by-key/one`
    await key('PUT', path, { blocks: [asking({ key: 'm' }), other()] })
    // A block that is sent without its key keeps it.
    expect(await key('PUT', path, { blocks: [asking({}), other({ key: 'n' })] })).toMatchObject(twice)
    const patched = (decision: object) =>
      key('PATCH', path, { blocks: [{ id: 'other', patch: { decision } }] })
    expect(await patched({ key: 'n' })).toMatchObject(twice)
    expect(await patched({})).toMatchObject({ status: 200 })
  })
})

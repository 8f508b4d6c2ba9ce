// What a request may ask, what it answers, and its warnings.
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { ask, question } from '../support/decisions.ts'
import { failed, invalid } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const { account, channel_id } = await buildScene(service)
const { key } = account
const cards = `/channels/${channel_id}/cards`

const patch = (card_id: string, fields: object) =>
  key('PATCH', `${cards}/${card_id}`, { blocks: [{ id: 'ask', patch: fields }] })

describe('6: answers and warnings', () => {
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

describe('14: messages of a question', () => {
  const at = 'blocks[2].decision.'
  const rows: [object, string][] = [
    [{ expires_at: '2020-01-01T00:00:00Z' }, `${at}expires_at must be in the future`],
    [{ expires_at: '2099-01-01T00:00:00Z' }, `${at}expires_at must be at most 366 days ahead`],
    [{ expires_in: 0 }, `${at}expires_in must be a whole number from 1 to 31622400`],
    [{ expires_in: '5' }, `${at}expires_in must be a whole number from 1 to 31622400`],
    [{ expires_in: 1.5 }, `${at}expires_in must be a whole number from 1 to 31622400`],
    [
      { expires_in: 5, expires_at: '2020-01-01T00:00:00Z' },
      `${at}expires_in cannot be used together with expires_at`,
    ],
    ...['nobody', 'listed', [], ['x'], 5, Array(51).fill('a@b.c')].map((who): [object, string] => [
      { who },
      `${at}who must be anyone, signed_in, members, owner or 1 to 50 e-mail addresses`,
    ]),
    [{ who: [account.email, 'nobody@example.com'] }, `${at}who[1] has no account`],
    [{ comment: 'maybe' }, `${at}comment must be one of none, optional, required`],
    [{ if_changed: 'ask' }, `${at}if_changed must be one of accept, refuse`],
    [{ approves: 'maybe' }, `${at}approves must be the id of one of its buttons`],
    [{ key: '' }, `${at}key must have 1 to 255 characters`],
    [{ key: 'a'.repeat(256) }, `${at}key must have 1 to 255 characters`],
  ]
  test.each(rows)('%j returns 400 %s', async (decision, error) => {
    expect(await key('POST', cards, { blocks: question(decision) })).toMatchObject(failed(400, error))
  })

  test('in PATCH they name the place there', async () => {
    const asked = await ask(key, channel_id)
    expect(await patch(asked.card_id, { decision: { approves: 'maybe' } })).toMatchObject(
      invalid('blocks[0].patch.decision.approves must be the id of one of its buttons'),
    )
  })

  test('a key can be used once in a card; a comment goes with a decision', async () => {
    const [, , block] = question({ key: 'k' })
    const other = { type: 'button', buttons: [{ id: 'x', label: 'X' }], decision: { key: 'l' } }
    expect(await key('POST', cards, { blocks: [block, other] })).toMatchObject(
      invalid('decision.key can be used on one block of a card'),
    )
    const stray = { type: 'button', id: 'b', buttons: [{ id: 'x', label: 'X', comment: 'optional' }] }
    expect(await key('POST', cards, { blocks: [stray] })).toMatchObject(
      invalid('blocks[0].buttons[0].comment goes with a decision'),
    )
  })
})

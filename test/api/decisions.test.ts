// Reading decisions: by id, by card, as a list. Withdrawing a question. Deadlines.
import { describe, expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { createAccount, createTestKey, withKey } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { type Asked, ask, question } from '../support/decisions.ts'
import { failed } from '../support/errors.ts'
import { inOneTurn } from '../support/one-turn.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import type { Call } from '../support/service.ts'

let now = Date.now
const service = await runService({ WORKSPACE_LIMIT: '0' }, { now: () => now() })
const scene = await buildScene(service)
const { account, channel_id } = scene
const { key, session } = account

type Page = { decisions: FullDecision[]; next_cursor: string | null }

const read = (call: Call, path: string) => call<FullDecision>('GET', path)
const press = ({ card_id, id }: Asked, Cookie = '') =>
  scene.interact(
    { card_id, trigger: { type: 'button_click', button_id: 'yes', decision_id: id } },
    { Cookie },
  )

describe('reading a decision', () => {
  test('reading a decision by id, by its card or by the card’s key returns the full form, under /api/v1 and /api', async () => {
    const cards = `/channels/${channel_id}/cards`
    const { body } = await key<{ id: string; decisions: { id: string; url: string }[] }>(
      'PUT',
      `${cards}/by-key/release`,
      { blocks: question({ approves: 'yes', comment: 'optional' }) },
    )
    const id = body.decisions[0]?.id
    const paths = [
      `/channels/${channel_id}/decisions/${id}`,
      `${cards}/${body.id}/decision`,
      `${cards}/by-key/release/decision`,
    ]
    for (const call of [key, session])
      for (const path of paths) {
        const answer = await read(call, path)
        expect(answer.status).toBe(200)
        expect(answer.headers.get('Cache-Control')).toBe('no-store')
        expect(answer.body).toStrictEqual({
          id,
          key: null,
          state: 'waiting',
          asked_at: expect.stringMatching(/Z$/),
          expires_at: null,
          who: 'anyone',
          agents: false,
          comment: 'optional',
          if_changed: 'accept',
          approves: 'yes',
          abandon: 'keep',
          ended_at: null,
          reason: null,
          outcome: null,
          channel_id,
          card_id: body.id,
          block_id: 'ask',
          choices: [
            { id: 'yes', label: 'Yes', style: 'primary' },
            { id: 'no', label: 'No', style: 'danger' },
          ],
          asked_by: { kind: 'agent', name: 'Key' },
          url: `${service.url}/c/${channel_id}?card=${body.id}`,
        })
      }
  })

  test('a card that asks twice needs `block`; unknown blocks, decisions and cards return 404', async () => {
    const [title, , ...first] = question()
    const second = { type: 'button', id: 'second', buttons: [{ id: 'maybe', label: 'Maybe' }], decision: {} }
    const cards = `/channels/${channel_id}/cards`
    const { body } = await key<{ id: string }>('POST', cards, { blocks: [title, ...first, second] })
    const path = `${cards}/${body.id}/decision`
    expect(await read(key, path)).toMatchObject(failed(400, 'block is required: the card has 2 decisions'))
    expect((await read(key, `${path}?block=second`)).body.block_id).toBe('second')
    for (const lost of [`${path}?block=title`, `${path}?block=none`, `${cards}/${scene.card_id}/decision`])
      expect(await read(key, lost)).toMatchObject(failed(404, 'Decision not found'))
    for (const id of [crypto.randomUUID(), 'x'])
      expect(await read(key, `/channels/${channel_id}/decisions/${id}`)).toMatchObject(
        failed(404, 'Decision not found'),
      )
    expect(await read(key, `${cards}/${crypto.randomUUID()}/decision`)).toMatchObject(
      failed(404, 'Card not found'),
    )
    const elsewhere = await createChannel(account)
    const asked = await ask(key, elsewhere)
    expect(await read(key, `/channels/${channel_id}/decisions/${asked.id}`)).toMatchObject({ status: 404 })
  })

  test.each(['61', '-1', '1.5', 'x', ''])('wait=%s returns 400', async wait => {
    const { path } = await ask(key, channel_id)
    expect(await read(key, `${path}?wait=${wait}`)).toMatchObject(
      failed(400, 'wait must be a whole number from 0 to 60'),
    )
  })

  test('strangers get 403 or 401', async () => {
    const { path } = await ask(key, channel_id)
    const bob = await createAccount(service)
    for (const call of [bob.key, bob.session]) {
      expect(await read(call, path)).toMatchObject({ status: 403 })
      expect(await call('DELETE', path)).toMatchObject({ status: 403 })
    }
    expect(await read(withKey(service.url, 'cf_none'), path)).toMatchObject({ status: 401 })
  })
})

describe('the list of decisions', () => {
  test('the list of decisions has every decision, newest first, by state and key, in pages', async () => {
    const channel_id = await createChannel(account)
    const asked: Asked[] = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) asked.push(await ask(key, channel_id, { key: name }))
    const [a, b] = asked
    await key('DELETE', a?.path ?? '')
    await key('DELETE', `/channels/${channel_id}/cards/${b?.card_id}`)
    const list = async (query: string) =>
      (await key<Page>('GET', `/channels/${channel_id}/decisions${query}`)).body
    const ids = ({ decisions }: Page) => decisions.map(({ id }) => id)
    const newest = asked.map(({ id }) => id).reverse()
    expect(ids(await list(''))).toEqual(newest)
    expect(ids(await list('?state=waiting'))).toEqual(newest.slice(0, 3))
    expect((await list('?state=cancelled')).decisions).toMatchObject([
      { id: b?.id, reason: 'deleted', card_id: null },
      { id: a?.id, reason: 'withdrawn' },
    ])
    expect(ids(await list('?key=b'))).toEqual([b?.id])
    expect(ids(await list('?key=none'))).toEqual([])
    const first = await list('?limit=2')
    const second = await list(`?limit=2&cursor=${first.next_cursor}`)
    const third = await list(`?limit=2&cursor=${second.next_cursor}`)
    expect([first, second, third].flatMap(ids)).toEqual(newest)
    expect(third.next_cursor).toBeNull()
  })

  test('an unknown state returns 400', async () => {
    expect(await key('GET', `/channels/${channel_id}/decisions?state=done`)).toMatchObject(
      failed(400, 'state must be one of waiting, decided, expired, cancelled'),
    )
  })

  test('a key with NUL returns 400', async () => {
    expect(await key('GET', `/channels/${channel_id}/decisions?key=a%00`)).toMatchObject(
      failed(400, 'key must be well-formed Unicode without NUL'),
    )
  })
})

describe('DELETE of a decision', () => {
  test('DELETE of a decision withdraws a waiting question; a second DELETE changes nothing', async () => {
    const { path } = await ask(key, channel_id)
    const first = await key('DELETE', path)
    expect(first).toMatchObject({ status: 200, body: { state: 'cancelled', reason: 'withdrawn' } })
    expect(await session('DELETE', path)).toMatchObject({ status: 200, body: first.body })
    expect((await read(key, path)).body).toStrictEqual(first.body)
  })

  test('DELETE of a decided question returns 409 with the decision', async () => {
    const asked = await ask(key, channel_id)
    expect(await press(asked)).toMatchObject({ status: 201 })
    const { body: decision } = await read(key, asked.path)
    expect(decision.state).toBe('decided')
    const refused = await key('DELETE', asked.path)
    expect(refused.status).toBe(409)
    expect(refused.body).toStrictEqual({ error: 'Already decided', code: 'already_decided', decision })
  })

  test('DELETE of a decision while its card is deleted returns it as cancelled', async () => {
    const asked = await ask(key, channel_id)
    const [, withdrawn] = await inOneTurn(service, channel_id, [
      () => key('DELETE', `/channels/${channel_id}/cards/${asked.card_id}`),
      () => key('DELETE', asked.path),
    ])
    expect(withdrawn).toMatchObject({ status: 200, body: { state: 'cancelled', reason: 'deleted' } })
    expect(withdrawn?.body).toStrictEqual((await read(key, asked.path)).body)
  })

  test('DELETE of a decision needs a key with the scope write', async () => {
    const { path } = await ask(key, channel_id)
    const reader = withKey(service.url, (await createTestKey(session, { scope: 'read' })).key)
    expect(await read(reader, path)).toMatchObject({ status: 200 })
    expect(await reader('DELETE', path)).toMatchObject(failed(403, 'Access denied'))
  })
})

describe('`may_decide`', () => {
  test('`may_decide` names the waiting decisions that list the viewer, and no others', async () => {
    const bob = await createAccount(service)
    const mayDecide = async (call: Call) =>
      (await call<{ may_decide: string[] }>('GET', `/channels/${channel_id}/view`)).body.may_decide
    const first = await ask(key, channel_id, { who: [bob.email] })
    const second = await ask(key, channel_id, { who: [account.email, bob.email] })
    await ask(key, channel_id, { who: 'signed_in' })
    const ended = await ask(key, channel_id, { who: [bob.email] })
    await key('DELETE', ended.path)
    expect(await mayDecide(bob.session)).toEqual([second.id, first.id])
    expect(await mayDecide(session)).toEqual([second.id])
    const anonymous = await fetch(`${service.url}/api/channels/${channel_id}/view`)
    expect(await anonymous.json()).toMatchObject({ may_decide: [] })
  })
})

describe('the deadline', () => {
  test('REST never says waiting at or after the deadline, and the question closes within seconds', async () => {
    const asked = await ask(key, channel_id, { expires_in: 3_600 })
    const { expires_at } = (await read(key, asked.path)).body
    now = () => Date.parse(expires_at ?? '')
    const cards = `/channels/${channel_id}/cards`
    type Cards = { cards: { id: string; blocks: { decision?: { state: string } }[] }[] }
    const listed = (await key<Cards>('GET', cards)).body.cards.find(({ id }) => id === asked.card_id)
    expect(listed?.blocks[2]?.decision).toMatchObject({ state: 'expired', ended_at: expires_at })
    const list = `/channels/${channel_id}/decisions`
    expect((await key<Page>('GET', `${list}?state=expired`)).body.decisions[0]?.id).toBe(asked.id)
    const waiting = (await key<Page>('GET', `${list}?state=waiting`)).body.decisions
    expect(waiting.map(({ id }) => id)).not.toContain(asked.id)
    const expired = (await read(key, asked.path)).body
    expect(expired).toMatchObject({ state: 'expired', ended_at: expires_at, outcome: null })
    expect(await key('DELETE', asked.path)).toMatchObject({ status: 200, body: expired })
    expect(await press(asked)).toMatchObject({ status: 409, body: { code: 'expired' } })
    now = Date.now
    expect((await read(key, asked.path)).body, 'it is written').toStrictEqual(expired)
  })

  test('a read after the deadline gets the expiry, even while the card is deleted', async () => {
    const asked = await ask(key, channel_id, { expires_in: 60 })
    now = () => Date.now() + 61_000
    const [, deleted, expired] = await inOneTurn(service, channel_id, [
      () => read(key, asked.path),
      () => key('DELETE', `/channels/${channel_id}/cards/${asked.card_id}`),
      () => read(key, asked.path),
    ])
    now = Date.now
    expect(deleted?.status).toBe(204)
    expect(expired).toMatchObject({ status: 200, body: { state: 'expired', card_id: null } })
  })
})

test('an agent whose press comes just after the card was deleted gets the outcome, as if it came later', async () => {
  const asked = await ask(key, channel_id, { agents: true })
  const other = withKey(service.url, (await createTestKey(session, { scope: 'write' })).key)
  const decide = () => other('POST', asked.path, { button_id: 'yes' })
  const [deleted, late] = await inOneTurn(service, channel_id, [
    () => key('DELETE', `/channels/${channel_id}/cards/${asked.card_id}`),
    decide,
  ])
  expect(deleted?.status).toBe(204)
  expect(late).toMatchObject({ status: 409, body: { code: 'cancelled', decision: { card_id: null } } })
  expect(await decide()).toMatchObject({ status: late?.status, body: late?.body })
})

test('a question stays while its channel is for viewing only, and presses return 403', async () => {
  const asked = await ask(key, channel_id, { who: 'owner' })
  const path = `/channels/${channel_id}`
  await key('PATCH', path, { mode: 'view' })
  expect(await press(asked)).toMatchObject(failed(403, 'Channel is not interactive'))
  expect((await read(key, asked.path)).body.state).toBe('waiting')
  await key('PATCH', path, { mode: 'interactive' })
  expect(await press(asked, account.cookie)).toMatchObject({ status: 201 })
})

test('questions that exchange their keys within one turn get them', async () => {
  const [a, b] = [await ask(key, channel_id, { key: 'a' }), await ask(key, channel_id, { key: 'b' })]
  const rename = ({ card_id }: Asked, name: string) =>
    key('PATCH', `/channels/${channel_id}/cards/${card_id}`, {
      blocks: [{ id: 'ask', patch: { decision: { key: name } } }],
    })
  const answers = await inOneTurn(service, channel_id, [
    () => rename(a, 'c'),
    () => rename(b, 'a'),
    () => rename(a, 'b'),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const keys = await Promise.all([a, b].map(async ({ path }) => (await read(key, path)).body.key))
  expect(keys).toEqual(['b', 'a'])
})

test('DELETE of the channel deletes its decisions', async () => {
  const other = await buildScene(service, { account })
  const { path } = await ask(key, other.channel_id)
  await key('DELETE', `/channels/${other.channel_id}`)
  expect(await read(key, path)).toMatchObject(failed(404, 'Channel not found'))
  const rows = await service.database.sql`select from decisions where channel_id = ${other.channel_id}`
  expect(rows).toHaveLength(0)
})

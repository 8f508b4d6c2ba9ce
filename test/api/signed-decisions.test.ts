// Signed decisions: what a signature says about each way to decide, and who may read it.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { verifyDecision } from '../../client/verify.ts'
import type { Card } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import type { SignedDecision } from '../../shared/signed-decision.ts'
import { createAccount, createTestKey, withKey } from '../support/account.ts'
import { type Asked, ask, decisionOf, question } from '../support/decisions.ts'
import { notFound } from '../support/errors.ts'
import { inOneTurn } from '../support/one-turn.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { create } from '../support/service.ts'
import { times } from '../support/times.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const scene = await buildScene(service)
const { account, channel_id } = scene
const { key, session, user_id } = account
const cards = `/channels/${channel_id}/cards`
const api_key = await createTestKey(session, { name: 'night-watch' })
const agent = withKey(service.url, api_key.key)

const press = ({ card_id, id }: Asked, more: object = {}, Cookie = account.cookie, button_id = 'yes') =>
  scene.interact(
    { card_id, trigger: { type: 'button_click', button_id, decision_id: id }, ...more },
    { Cookie },
  )
const readCard = async ({ card_id }: Asked) => (await key<Card>('GET', `${cards}/${card_id}`)).body
const readFull = async ({ path }: Asked) => (await key<FullDecision>('GET', path)).body
const readSigned = async ({ path }: Asked) => (await key<SignedDecision>('GET', `${path}/signed`)).body

/** Checks it with the keys that the service publishes. */
async function claimsOf(asked: Asked, any_choice = true) {
  const { jws, card, values } = await readSigned(asked)
  return verifyDecision(jws, { issuer: service.url, decision_id: asked.id, card, values, any_choice })
}

/** The card as REST shows it, with nothing of its question but what was asked. */
async function shownCard(asked: Asked) {
  const { id: card_id, status, blocks } = await readCard(asked)
  const shown = blocks.map(block => {
    if (block.type !== 'button' || !block.decision) return block
    const { state: _, ended_at: __, reason: ___, outcome: ____, ...decision } = block.decision
    return { ...block, decision }
  })
  return { v: 1, channel_id, card_id, status, blocks: shown }
}

describe('a signature', () => {
  test('a person’s press is signed with what the person chose, entered and saw', async () => {
    const [title, note, buttons] = question({ approves: 'yes', comment: 'optional', key: 'release' })
    const pin = { type: 'input', id: 'pin', label: 'PIN', input_type: 'password' }
    const body = {
      blocks: [title, note, pin, { type: 'toggle', id: 'canary', label: 'Canary' }, buttons],
      status: 'pending',
    }
    const made = await create<{ id: string; decisions: { id: string }[] }>(key, cards, body)
    const id = made.decisions[0]?.id ?? ''
    const asked = { card_id: made.id, id, path: `/channels/${channel_id}/decisions/${id}` }
    const before = await shownCard(asked)
    const { updated_at } = await readCard(asked)
    const trigger = { type: 'button_click', button_id: 'yes', decision_id: id, comment: 'go' }
    const values = { note: 'after lunch', pin: 'sesame', canary: true }
    const { status } = await press(asked, { seen: updated_at, values, trigger })
    expect(status).toBe(201)

    const { ended_at, asked_at, outcome } = await readFull(asked)
    const signed = await readSigned(asked)
    expect(signed).toEqual({ jws: outcome?.jws, card: before, values: { note: 'after lunch', canary: true } })
    expect(await claimsOf(asked, false)).toEqual({
      v: 1,
      iss: service.url,
      jti: id,
      iat: Math.floor(Date.parse(ended_at ?? '') / 1_000),
      channel_id,
      card_id: made.id,
      block_id: 'ask',
      key: 'release',
      asked_at,
      asked_by: { kind: 'agent', id: expect.any(String), name: 'Key' },
      choice: { id: 'yes', label: 'Yes' },
      approves: 'yes',
      approved: true,
      by: { kind: 'owner', id: user_id, name: 'Ann' },
      via: 'page',
      comment: 'go',
      pressed_at: outcome?.timestamp,
      decided_at: ended_at,
      card: { digest: expect.stringMatching(/^sha-256:[\w-]{43}$/), updated_at, seen: true },
      values_digest: expect.stringMatching(/^sha-256:[\w-]{43}$/),
    })
  })

  test('an agent’s decision is signed with the id of its key, via the API', async () => {
    const { decisions } = await create<{ decisions: { id: string }[]; id: string }>(session, cards, {
      blocks: question({ agents: true }).filter(({ type }) => type !== 'input'),
    })
    const path = `/channels/${channel_id}/decisions/${decisions[0]?.id}`
    const { status, body } = await agent<FullDecision>('POST', path, { button_id: 'no' })
    expect(status).toBe(201)
    const asked = { card_id: body.card_id ?? '', id: body.id, path }
    expect(body.outcome?.jws).toBe((await readSigned(asked)).jws)
    expect(await claimsOf(asked)).toMatchObject({
      asked_by: { kind: 'owner', id: user_id, name: 'Ann' },
      choice: { id: 'no', label: 'No' },
      approves: null,
      approved: false,
      by: { kind: 'agent', id: api_key.id, name: 'night-watch' },
      via: 'api',
      comment: null,
      card: { seen: null },
      values_digest: null,
    })
    expect((await readSigned(asked)).values).toBeNull()
    await expect(claimsOf(asked, false)).rejects.toMatchObject({ code: 'not_approved' })
  })

  test('a press without an account or without a name names nobody', async () => {
    for (const [more, cookie] of [
      [{}, ''],
      [{ as: 'anonymous' }, account.cookie],
    ] as const) {
      const asked = await ask(key, channel_id)
      await press(asked, more, cookie)
      expect((await claimsOf(asked)).by).toEqual({ kind: 'anonymous', id: null, name: null })
    }
  })

  test('`seen` tells whether the press named the card as it was', async () => {
    const asked = await times(3, () => ask(key, channel_id))
    const [exact, other, none] = asked
    if (!exact || !other || !none) throw new Error('three were asked')
    const { updated_at } = await readCard(exact)
    await press(exact, { seen: new Date(updated_at).toISOString().replace('Z', '+00:00') })
    await press(other, { seen: '2026-01-01T00:00:00.000Z' })
    await press(none)
    const seen = await Promise.all(asked.map(async one => (await claimsOf(one)).card.seen))
    expect(seen).toEqual([true, false, null])
  })

  test('no claim has an e-mail address, a password or an interaction_id', async () => {
    const blocks = question({ who: [account.email] })
    const pin = { type: 'input', id: 'pin', label: 'PIN', input_type: 'password' }
    const made = await create<{ id: string; decisions: { id: string }[] }>(key, cards, {
      blocks: [pin, ...blocks],
    })
    const id = made.decisions[0]?.id ?? ''
    const asked = { card_id: made.id, id, path: `/channels/${channel_id}/decisions/${id}` }
    const interaction_id = randomUUID()
    await press(asked, { interaction_id, values: { pin: 'sesame', note: 'x' } })
    const text = JSON.stringify([await claimsOf(asked), await readSigned(asked)])
    expect(text).toContain('listed')
    for (const secret of [account.email, 'sesame', interaction_id]) expect(text).not.toContain(secret)
  })

  test('the webhook and the log carry the signature; what viewers get does not', async () => {
    const receiver = await runReceiver()
    const heard = await buildScene(service, { webhook_url: receiver.url })
    const asked = await ask(heard.account.key, heard.channel_id)
    await heard.interact({ card_id: asked.card_id, trigger: { type: 'button_click', button_id: 'yes' } })
    const { body: signed } = await heard.account.key<SignedDecision>('GET', `${asked.path}/signed`)
    const decision = { outcome: { jws: signed.jws } }
    const [delivery] = await receiver.hasReceived(1)
    expect(JSON.parse(delivery?.body ?? '')).toMatchObject({ decision })
    const log = `/channels/${heard.channel_id}/interactions`
    const { body } = await heard.account.key<{ interactions: object[] }>('GET', log)
    expect(body.interactions[0]).toMatchObject({ decision })
    const view = await fetch(`${service.url}/api/channels/${heard.channel_id}/first-cards`)
    expect(await view.text()).not.toContain('jws')
  })
})

describe('turns', () => {
  test('a press signs the card as the mutation before it left the card, in one turn', async () => {
    const asked = await ask(key, channel_id)
    const patch = (content: string) => () =>
      key('PATCH', `${cards}/${asked.card_id}`, { blocks: [{ id: 'title', patch: { content } }] })
    await inOneTurn(service, channel_id, [patch('First'), () => press(asked), patch('Second')])
    const { card } = await readSigned(asked)
    expect(card?.blocks[0]).toMatchObject({ content: 'First' })
    expect((await readCard(asked)).blocks[0]).toMatchObject({ content: 'Second' })
    expect((await claimsOf(asked)).card.seen).toBeNull()
  })

  test('several decisions of one turn have a signature each', async () => {
    const asked = await times(4, () => ask(key, channel_id))
    const answers = await inOneTurn(
      service,
      channel_id,
      asked.map(one => () => press(one)),
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    for (const one of asked) expect((await claimsOf(one)).jti).toBe(one.id)
  })

  test('of presses at the same time, the one that counted is signed', async () => {
    const asked = await ask(key, channel_id)
    await times(10, i => press(asked, {}, '', i % 2 === 0 ? 'yes' : 'no'))
    const outcome = decisionOf(await readCard(asked))?.outcome
    expect((await claimsOf(asked)).choice).toEqual({ id: outcome?.button_id, label: outcome?.label })
  })
})

describe('reading a signature', () => {
  test('a question that nobody decided has no signature', async () => {
    const [waiting, withdrawn] = await times(2, () => ask(key, channel_id))
    if (!waiting || !withdrawn) throw new Error('two were asked')
    await key('DELETE', withdrawn.path)
    for (const { path } of [waiting, withdrawn])
      expect(await key('GET', `${path}/signed`)).toMatchObject(notFound('Signature'))
    const unknown = `/channels/${channel_id}/decisions/${randomUUID()}`
    expect(await key('GET', `${unknown}/signed`)).toMatchObject(notFound('Decision'))
  })

  test('a decision of the release before has no signature', async () => {
    const asked = await ask(key, channel_id)
    await press(asked)
    await service.sql`update decisions set jws = null, signed_card = null, signed_values = null where id = ${asked.id}`
    expect(await key('GET', `${asked.path}/signed`)).toMatchObject(notFound('Signature'))
    expect((await readFull(asked)).outcome?.jws).toBeNull()
  })

  test('the owner’s session reads it too; others don’t', async () => {
    const asked = await ask(key, channel_id)
    await press(asked)
    expect((await session('GET', `${asked.path}/signed`)).body).toEqual(await readSigned(asked))
    const bob = await createAccount(service)
    expect((await bob.key('GET', `${asked.path}/signed`)).status).toBe(403)
    expect((await fetch(`${service.url}/api/v1${asked.path}/signed`)).status).toBe(401)
  })

  test('the copy of a card leaves with the card; the signature and the values stay', async () => {
    const [before, meanwhile] = await times(2, () => ask(key, channel_id))
    if (!before || !meanwhile) throw new Error('two were asked')
    const remove = (asked: Asked) => key('DELETE', `${cards}/${asked.card_id}`)
    await press(before, { values: { note: 'x' } })
    const { jws } = await readSigned(before)
    await remove(before)
    await inOneTurn(service, channel_id, [() => press(meanwhile), () => remove(meanwhile)])
    expect(await readSigned(before)).toEqual({ jws, card: null, values: { note: 'x' } })
    expect(await readSigned(meanwhile)).toMatchObject({ card: null, values: { note: '' } })
    for (const { jws } of [await readSigned(before), await readSigned(meanwhile)])
      await verifyDecision(jws, { issuer: service.url, any_choice: true })
  })

  test('a question that is asked again keeps the signature of its first answer', async () => {
    const asked = await ask(key, channel_id)
    await press(asked)
    const signed = await readSigned(asked)
    const reopen = { blocks: [{ id: 'ask', patch: { decision: { reopen: true } } }] }
    expect((await key('PATCH', `${cards}/${asked.card_id}`, reopen)).status).toBe(200)
    expect(await readSigned(asked)).toEqual(signed)
  })

  test.each([
    ['signature', "jws = left(jws, -20) || repeat('A', 20)"],
    ['decision', `jws = (select jws from decisions where jws is not null and id <> $1 limit 1)`],
    ['card', `signed_card = replace(signed_card::text, 'Roll out?', 'Roll back?')::json`],
    ['values', `signed_values = '{"note": "y"}'`],
  ])('a database that was edited by hand fails verification: %s', async (code, edit) => {
    const [other, asked] = await times(2, () => ask(key, channel_id))
    if (!other || !asked) throw new Error('two were asked')
    for (const one of [other, asked]) await press(one, { values: { note: 'x' } })
    await claimsOf(asked)
    await service.sql.unsafe(`update decisions set ${edit} where id = $1`, [asked.id])
    await expect(claimsOf(asked)).rejects.toMatchObject({ code })
  })
})

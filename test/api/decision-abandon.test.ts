// `decision.abandon`: who may set it, how it is changed, and what becomes of it when a question is asked again.
import { describe, expect, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { ask, decisionOf, question } from '../support/decisions.ts'
import { invalid } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import type { Call } from '../support/service.ts'

const service = await runService()
const { account, channel_id } = await buildScene(service)
const { key, session } = account
const cards = `/channels/${channel_id}/cards`

const patch = (card_id: string, decision: object, call = key) =>
  call<Card>('PATCH', `${cards}/${card_id}`, { blocks: [{ id: 'ask', patch: { decision } }] })
const put = (name: string, decision: object, call: Call = key) =>
  call<Card>('PUT', `${cards}/by-key/${name}`, { blocks: question(decision) })
const read = async (path: string) => (await key<FullDecision>('GET', path)).body
const shown = async (card_id: string) => decisionOf((await key<Card>('GET', `${cards}/${card_id}`)).body)
const needsKey = (place: string) => invalid(`${place}.decision.abandon needs an API key`)

test('`abandon` stands after `approves` in both forms, and is `keep` if it is missing', async () => {
  const asked = await ask(key, channel_id)
  for (const form of [await shown(asked.card_id), await read(asked.path)]) {
    const names = Object.keys(form ?? {})
    expect(names[names.indexOf('approves') + 1]).toBe('abandon')
    expect(form?.abandon).toBe('keep')
  }
})

test('a question of a release without `abandon` reads as `keep`', async () => {
  const asked = await ask(key, channel_id)
  await service.sql`
    update decisions set decision = (decision::jsonb - 'abandon')::json where id = ${asked.id}`
  await service.sql`
    update cards set blocks = replace(blocks::text, '"abandon":"keep",', '')::json where id = ${asked.card_id}`
  for (const form of [await shown(asked.card_id), await read(asked.path)]) {
    expect(form?.abandon).toBe('keep')
    expect(Object.keys(form ?? {}).indexOf('abandon')).toBeLessThan(
      Object.keys(form ?? {}).indexOf('ended_at'),
    )
  }
  expect((await patch(asked.card_id, { comment: 'optional' })).status).toBe(200)
  expect(await read(asked.path)).toMatchObject({ comment: 'optional', abandon: 'keep' })
})

test('PATCH changes `abandon` and keeps it otherwise; PUT without it means `keep`', async () => {
  const asked = await ask(key, channel_id)
  for (const decision of [{ abandon: 'cancel' }, { comment: 'optional' }])
    expect(decisionOf((await patch(asked.card_id, decision)).body)).toMatchObject({
      id: asked.id,
      abandon: 'cancel',
    })
  expect(decisionOf((await patch(asked.card_id, { abandon: 'keep' })).body)?.abandon).toBe('keep')
  await put('put', { abandon: 'cancel' })
  expect(decisionOf((await put('put', {})).body)?.abandon).toBe('keep')
})

describe('a session', () => {
  test('a session that asks for `cancel` in POST, PUT or PATCH gets 400', async () => {
    const body = { blocks: question({ abandon: 'cancel' }) }
    expect(await session('POST', cards, body)).toMatchObject(needsKey('blocks[2]'))
    expect(await put('session', { abandon: 'cancel' }, session)).toMatchObject(needsKey('blocks[2]'))
    const asked = await ask(key, channel_id)
    expect(await patch(asked.card_id, { abandon: 'cancel' }, session)).toMatchObject(
      needsKey('blocks[0].patch'),
    )
    expect(await read(asked.path)).toMatchObject({ abandon: 'keep' })
  })

  test('a question that a session asked can’t be abandoned, even if a key changes it', async () => {
    const asked = await ask(session, channel_id)
    expect(await patch(asked.card_id, { abandon: 'cancel' })).toMatchObject(needsKey('blocks[0].patch'))
  })

  test('a session may send back the `cancel` that it read, and change other fields', async () => {
    await put('back', { abandon: 'cancel', approves: 'yes' })
    const back = await put('back', { abandon: 'cancel', comment: 'optional' }, session)
    expect(decisionOf(back.body)).toMatchObject({ abandon: 'cancel', comment: 'optional' })
    const patched = await patch(back.body.id, { comment: 'none' }, session)
    expect(decisionOf(patched.body)).toMatchObject({ abandon: 'cancel', comment: 'none' })
  })

  test('a question is kept if a session asks it again, and abandoned if its key does', async () => {
    const asked = await ask(key, channel_id, { abandon: 'cancel' })
    for (const [call, abandon] of [
      [key, 'cancel'],
      [session, 'keep'],
    ] as const) {
      const { id } = (await shown(asked.card_id)) ?? {}
      await key('DELETE', `/channels/${channel_id}/decisions/${id}`)
      const again = await patch(asked.card_id, { reopen: true }, call)
      expect(decisionOf(again.body)).toMatchObject({ state: 'waiting', abandon })
    }
  })
})

// What stays of old decisions: nothing that names a person. And presses on cards that left the live pages.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { deleteOldDecisions } from '../../server/decisions/retention.ts'
import { createEndQuestion } from '../../server/model/end-question.ts'
import type { Card } from '../../shared/card.ts'
import { publicIdOf } from '../../shared/public-id.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { ask, decisionOf } from '../support/decisions.ts'
import { notFound } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { times } from '../support/times.ts'

const service = await runService()
const { sql, feeds } = service
const endQuestion = createEndQuestion({ feeds, logged: () => {} })
const log = pino({ level: 'silent' })
const { account, channel_id, interact } = await buildScene(service)
const { key } = account
const cards = `/channels/${channel_id}/cards`

const press = (card_id: string, more: object = {}) =>
  interact(
    { card_id, trigger: { type: 'button_click', button_id: 'yes', ...more } },
    { Cookie: account.cookie },
  )
const decisionOn = async (card_id: string) => decisionOf((await key<Card>('GET', `${cards}/${card_id}`)).body)

test('retention deletes ended decisions, and clears names and comments in their cards', async () => {
  const decided = await ask(key, channel_id, { comment: 'optional' })
  const withdrawn = await ask(key, channel_id)
  const waiting = await ask(key, channel_id)
  const recent = await ask(key, channel_id)
  await press(decided.card_id, { comment: 'my reasons' })
  await press(recent.card_id)
  await key('DELETE', withdrawn.path)
  const { body: before } = await key<Card>('GET', `${cards}/${decided.card_id}`)
  const old = [decided, withdrawn, waiting].map(({ id }) => id)
  await sql`
    update decisions set ended_at = ended_at - interval '8 days'
    where channel_id = ${channel_id} and id = any(${old}::uuid[])`
  await deleteOldDecisions({ sql, log, endQuestion }, 7)

  for (const { path } of [decided, withdrawn])
    expect(await key('GET', path)).toMatchObject(notFound('Decision'))
  expect(await key('GET', `${decided.path}/signed`)).toMatchObject(notFound('Decision'))
  expect((await key('GET', `${recent.path}/signed`)).status).toBe(200)
  expect(await decisionOn(decided.card_id)).toMatchObject({
    id: decided.id,
    state: 'decided',
    outcome: { button_id: 'yes', by: { kind: 'owner', name: null }, comment: null },
  })
  const { body: after } = await key<Card>('GET', `${cards}/${decided.card_id}`)
  expect(after.updated_at).toBe(before.updated_at)
  expect(await decisionOn(withdrawn.card_id)).toMatchObject({ state: 'cancelled' })
  expect((await key('GET', waiting.path)).body).toMatchObject({ state: 'waiting' })
  expect((await key('GET', recent.path)).body).toMatchObject({ outcome: { by: { name: 'Ann' } } })
  await expectRowsMatchDocument(sql, channel_id)
})

test('a question whose row is gone can be asked again, and its card deleted', async () => {
  const asked = await ask(key, channel_id)
  await press(asked.card_id)
  await sql`update decisions set ended_at = ended_at - interval '8 days' where id = ${asked.id}`
  await deleteOldDecisions({ sql, log, endQuestion }, 7)
  expect(await press(asked.card_id)).toMatchObject({ status: 409, body: { code: 'already_decided' } })
  const blocks = [{ id: 'ask', patch: { decision: { reopen: true } } }]
  expect((await key('PATCH', `${cards}/${asked.card_id}`, { blocks })).status).toBe(200)
  expect((await decisionOn(asked.card_id))?.state).toBe('waiting')
  expect((await key('DELETE', `${cards}/${asked.card_id}`)).status).toBe(204)
})

test('D6: a press on a card of an archived page decides, in rows and document', async () => {
  const asked = await ask(key, channel_id, { key: 'archived' })
  await times(400, () => key('POST', cards, { blocks: [{ type: 'divider' }] }))
  expect(await press(asked.card_id, { decision_id: asked.id })).toMatchObject({ status: 201 })
  expect((await decisionOn(asked.card_id))?.outcome).toMatchObject({ button_id: 'yes' })
  expect(await press(asked.card_id)).toMatchObject({ status: 409 })
  // Its key is used again meanwhile.
  await ask(key, channel_id, { key: 'archived' })
  const reopen = { blocks: [{ id: 'ask', patch: { decision: { reopen: true } } }] }
  expect(await key('PATCH', `${cards}/${asked.card_id}`, reopen)).toMatchObject({
    status: 409,
    body: { code: 'key_in_use' },
  })
  await expectRowsMatchDocument(sql, channel_id)
})

test('D7: what viewers read names no interaction_id, e-mail or input', async () => {
  const { account, channel_id, interact } = await buildScene(service)
  const interaction_id = crypto.randomUUID()
  const asked = await ask(account.key, channel_id, { who: [account.email] })
  const trigger = { type: 'button_click', button_id: 'yes' }
  const sent = { interaction_id, card_id: asked.card_id, trigger, values: { note: 'a secret' } }
  const { body } = await interact(sent, { Cookie: account.cookie })
  expect(body).toMatchObject({ decision: { state: 'decided' } })
  for (const place of ['pages/0', 'first-cards', 'document']) {
    const shown = await (await fetch(`${service.url}/api/channels/${channel_id}/${place}`)).text()
    for (const public_word of [asked.id, publicIdOf(interaction_id), 'Ann'])
      expect(shown).toContain(public_word)
    for (const secret of [interaction_id, account.email, account.user_id, 'a secret'])
      expect(shown).not.toContain(secret)
  }
})

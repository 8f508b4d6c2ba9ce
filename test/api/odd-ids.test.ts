// Callers name things as they like. Names that every JavaScript object has mean nothing special in any operation.
import { expect, test } from 'vitest'
import type { Card } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { createTestKey, withKey } from '../support/account.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { settledLog } from '../support/deliveries.ts'
import { runReceiver, runWithOwner } from '../support/running.ts'
import { create } from '../support/service.ts'

const NAMES = [...Object.getOwnPropertyNames(Object.prototype), 'then', 'toJSON', 'prototype', 'length']

const { service, ann } = await runWithOwner()
const receiver = await runReceiver()
const agent = withKey(service.url, (await createTestKey(ann.session)).key)
const channel_id = await createChannel(ann, {
  mode: 'interactive',
  webhook_url: receiver.url,
  receipts: 'on',
})
const channel = `/channels/${channel_id}`
const interact = (body: object) =>
  ann.session<{ card_state: { id: string; value?: unknown }[] }>('POST', `${channel}/interactions`, body)

const button = (name: string, decision?: object) => ({
  type: 'button',
  id: name,
  buttons: [{ id: name, label: name }],
  ...(decision && { decision }),
})
const options = NAMES.map(value => ({ value, label: value }))
/** Of an object with `name` as its own field, which a literal with `__proto__` isn't. */
const withField = (names: string[], value: (name: string) => unknown) =>
  Object.fromEntries(names.map(name => [name, value(name)]))

/** The receipts of a card, as a page has them. */
async function receiptsOf(card_id: string): Promise<[name: string, total: number][]> {
  type Page = { cards: (Card & { acts?: Record<string, { total: number }> })[] }
  const { cards } = (await ann.session<Page>('GET', `${channel}/pages/0`)).body
  const { acts: receipts = {} } = cards.find(({ id }) => id === card_id) ?? {}
  return Object.entries(receipts).map(([name, { total }]) => [name, total])
}

test('blocks and buttons with odd ids work in POST, PATCH, presses and receipts', async () => {
  const { id: card_id } = await create(ann.key, `${channel}/cards`, {
    blocks: NAMES.map(name => button(name)),
  })
  for (const round of [1, 2]) {
    for (const button_id of NAMES)
      expect(await interact({ card_id, trigger: { type: 'button_click', button_id } })).toMatchObject({
        status: 201,
      })
    const shown = await receiptsOf(card_id)
    expect(shown.sort()).toEqual(NAMES.map(name => [name, round]).sort())
    for (const name of NAMES) {
      const patch = { buttons: [{ id: name, patch: { label: `${name} ${round}` } }] }
      const patched = await ann.key('PATCH', `${channel}/cards/${card_id}`, { blocks: [{ id: name, patch }] })
      expect(patched).toMatchObject({ status: 200 })
    }
  }
  await expectRowsMatchDocument(service.sql, channel_id)
  expect(
    await ann.key('PATCH', `${channel}/cards/${card_id}`, { blocks: [{ id: 'none', patch: {} }] }),
  ).toMatchObject({
    status: 400,
  })
})

test('odd card keys work in PUT, GET, PATCH and DELETE, with odd Idempotency-Keys', async () => {
  for (const name of NAMES) {
    const path = `${channel}/cards/by-key/${name}`
    const body = { blocks: [button(name)] }
    const once = { 'Idempotency-Key': name }
    expect(await ann.key('GET', path)).toMatchObject({ status: 404 })
    expect(await ann.key('PUT', path, body, once)).toMatchObject({ status: 201 })
    const again = await ann.key('PUT', path, body, once)
    expect(again.headers.get('Idempotent-Replayed')).toBe('true')
    expect(await ann.key('PUT', path, body)).toMatchObject({ status: 200, body: { key: name } })
    expect(await ann.key('GET', path)).toMatchObject({ status: 200, body: { key: name } })
    expect(await ann.key('PATCH', path, { status: 'error' }, once)).toMatchObject({ status: 200 })
    expect(await ann.key('DELETE', path)).toMatchObject({ status: 204 })
  }
})

test('inputs with odd ids keep their values in answers, the log and webhooks', async () => {
  receiver.received.length = 0
  const blocks = [
    ...NAMES.map(id => ({ type: 'input', id, label: id, required: true, send_on_change: true })),
    { type: 'select', id: 'select', label: 'S', options, value: null },
    { type: 'multiselect', id: 'multi', options },
    { type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go' }] },
  ]
  const { id: card_id } = await create(ann.key, `${channel}/cards`, { blocks })
  const values = withField([...NAMES, 'select', 'multi'], name =>
    name === 'multi' ? NAMES : name === 'select' ? '__proto__' : `value of ${name}`,
  )
  const { status, body } = await interact({
    card_id,
    trigger: { type: 'button_click', button_id: 'go' },
    values,
  })
  expect(status).toBe(201)
  for (const { id, value } of body.card_state.slice(0, NAMES.length)) expect(value).toBe(`value of ${id}`)
  for (const block_id of NAMES) {
    const changed = await interact({ card_id, trigger: { type: 'input_change', block_id, value: 'new' } })
    expect(changed.status).toBe(201)
    expect(changed.body.card_state.filter(({ value }) => value === 'new').map(({ id }) => id)).toEqual([
      block_id,
    ])
  }
  await settledLog({ account: ann, channel_id })
  expect(receiver.received.find(sent => sent.body.includes('"go"'))?.body).toBe(JSON.stringify(body))
})

test('decisions with odd ids can be asked, pressed and awaited', async () => {
  const inputs = NAMES.map(id => ({ type: 'input', id, label: id }))
  for (const name of NAMES) {
    const decision = { key: name, agents: true, approves: name }
    const body = { blocks: [...inputs, { ...button(name, decision), id: `ask ${name}` }] }
    const { decisions } = await create<{ id: string; decisions: { id: string }[] }>(
      ann.key,
      `${channel}/cards`,
      body,
    )
    const path = `${channel}/decisions/${decisions[0]?.id}`
    const press = { button_id: name, values: withField(NAMES, other => `to ${other}`) }
    const pressed = await agent<FullDecision>('POST', path, press)
    expect(pressed.status).toBe(201)
    const { body: read } = await ann.key<FullDecision>('GET', `${path}?wait=1`)
    const values = Object.entries(read.outcome?.values ?? {})
    expect(values.map(([id]) => id).sort()).toEqual([...NAMES].sort())
    for (const [id, value] of values) expect(value).toBe(`to ${id}`)
  }
  await expectRowsMatchDocument(service.sql, channel_id)
})

test('attributes with odd keys and their settings are kept', async () => {
  const keys = [...new Set(NAMES.map(name => name.toLowerCase()))]
  const put = await ann.key<Record<string, string>>(
    'PUT',
    `${channel}/attributes`,
    withField(NAMES, () => 'x'),
  )
  expect(put.status).toBe(200)
  expect(Object.keys(put.body).sort()).toEqual([...keys, 'created_at', 'updated_at'].sort())
  for (const key of keys)
    expect(
      await ann.session('PUT', `/workspaces/${ann.workspace_id}/attribute-settings`, {
        key,
        use_as_filter: true,
      }),
    ).toMatchObject({ status: 200, body: { key, use_as_filter: true } })
  const page = await ann.session<{ channels: { attributes: object }[] }>(
    'GET',
    `/workspaces/by-slug/${ann.slug}`,
  )
  expect(Object.keys(page.body.channels[0]?.attributes ?? {}).sort()).toEqual([...keys].sort())
  const cleared = await ann.key<object>(
    'PUT',
    `${channel}/attributes`,
    withField(NAMES, () => ''),
  )
  expect(Object.keys(cleared.body).sort()).toEqual(['created_at', 'updated_at'])
})

test('D7: a workspace with such blocks becomes public, without its receipts', async () => {
  await ann.key('PATCH', channel, { receipts: 'auto' })
  const { id: card_id } = await create(ann.key, `${channel}/cards`, {
    blocks: NAMES.map(name => button(name)),
  })
  for (const button_id of NAMES) await interact({ card_id, trigger: { type: 'button_click', button_id } })
  await patchWorkspace(ann, { visibility: 'public' })
  expect(await receiptsOf(card_id)).toEqual([])
  await expectRowsMatchDocument(service.sql, channel_id)
})

test('ids that are looked up return 404', async () => {
  for (const name of NAMES) {
    for (const path of [`/channels/${name}`, `${channel}/cards/${name}`, `${channel}/decisions/${name}`])
      expect(await ann.key('GET', path)).toMatchObject({ status: 404 })
    const pressed = { trigger: { type: 'header_action', action_id: name } }
    expect(await interact(pressed)).toMatchObject({ status: 404 })
    expect(await ann.session('GET', `/workspaces/by-slug/${name}`)).toMatchObject({ status: 404 })
  }
})

// The headers `Error-Code` and `Error-Field`. test/support/coded-errors.ts checks the code of every error of all tests.
import { describe, expect, test } from 'vitest'
import { pushCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { sendRaw, sendUpgrade } from '../support/raw.ts'
import { runWithOwner } from '../support/running.ts'
import type { Answer } from '../support/service.ts'

const { service, ann } = await runWithOwner()
const channel = `/channels/${await createChannel(ann, { mode: 'interactive' })}`
const cards = `${channel}/cards`

const fault = ({ status, headers }: Answer) => [status, headers.get('Error-Code'), headers.get('Error-Field')]

describe('one field at fault', () => {
  test.each([
    [{}, 'blocks_required', 'blocks'],
    [{ blocks: [{ type: 'badge' }] }, 'field_required', 'blocks[0].label'],
    [{ blocks: [{ type: 'badge', label: '' }] }, 'field_required', 'blocks[0].label'],
    [{ blocks: [{ type: 'text', content: 'a' }], status: 'odd' }, 'field_invalid', 'status'],
    [{ blocks: [] }, 'field_invalid', 'blocks'],
  ])('the body %j returns 400 %s for %s', async (body, code, field) => {
    expect(fault(await ann.key('POST', cards, body))).toEqual([400, code, field])
  })

  test.each([
    ['名前 %', '%E5%90%8D%E5%89%8D %25'],
    ['a\nb', 'a%0Ab'],
    ['🚀', '%F0%9F%9A%80'],
  ])('the key %j of an attribute is percent-encoded', async (key, field) => {
    const answer = await ann.key('PUT', `${channel}/attributes`, { [key]: 1 })
    expect(answer.body).toMatchObject({ error: `${key} must be a string` })
    expect(fault(answer)).toEqual([400, 'field_invalid', field])
    expect(decodeURIComponent(field)).toBe(key)
  })

  test('a path that is longer than 1,024 bytes is left out', async () => {
    const attributes = { ['é'.repeat(200)]: 'a' }
    expect(fault(await ann.key('PUT', `${channel}/attributes`, attributes))).toEqual([
      400,
      'field_invalid',
      null,
    ])
  })

  test('a required field of a card is named by its label', async () => {
    const blocks = [
      { type: 'input', id: 'why', label: 'Grund für', required: true },
      { type: 'button', buttons: [{ id: 'ok', label: 'OK' }] },
    ]
    const { body } = await ann.key<{ id: string }>('POST', cards, { blocks })
    const click = { card_id: body.id, trigger: { type: 'button_click', button_id: 'ok' } }
    expect(fault(await ann.session('POST', `${channel}/interactions`, click))).toEqual([
      400,
      'field_required',
      'Grund f%C3%BCr',
    ])
  })

  test('a patch names the item of a block that does not exist', async () => {
    const card = await pushCard(ann.key, cards)
    const blocks = [{ id: 'none', patch: {} }]
    expect(fault(await ann.key('PATCH', card, { blocks }))).toEqual([400, 'unknown_block', 'blocks[0]'])
  })
})

test('the body as a whole has a code and no field', async () => {
  expect(fault(await ann.key('POST', cards, '{'))).toEqual([400, 'invalid_json', null])
  expect(fault(await ann.key('POST', cards, '[]'))).toEqual([400, 'invalid_body', null])
})

test('the code of a decision error is the one of its body', async () => {
  const decision = { decision: {} }
  const blocks = [{ type: 'button', id: 'ask', buttons: [{ id: 'ok', label: 'OK' }], ...decision }]
  const { body: card } = await ann.key<{ id: string }>('POST', cards, { blocks })
  const click = { card_id: card.id, trigger: { type: 'button_click', button_id: 'ok' } }
  expect((await ann.session('POST', `${channel}/interactions`, click)).status).toBe(201)
  const second = await ann.session('POST', `${channel}/interactions`, click)
  expect(fault(second)).toEqual([409, 'already_decided', null])
  expect(second.body).toMatchObject({ code: 'already_decided' })
})

test('a request that is repeated after its card was deleted has the code of the stored response', async () => {
  const card = await pushCard(ann.key, cards)
  const headers = { 'Idempotency-Key': crypto.randomUUID() }
  await ann.key('PATCH', card, { status: 'success' }, headers)
  await ann.key('DELETE', card)
  expect(fault(await ann.key('PATCH', card, { status: 'success' }, headers))).toEqual([
    404,
    'card_not_found',
    null,
  ])
})

test('any page may read both headers', async () => {
  const { headers } = await ann.key('GET', `${cards}/none`)
  expect(headers.get('Access-Control-Expose-Headers')).toMatch(/^Error-Code, Error-Field, /)
})

test('a refused WebSocket has the code too', async () => {
  const { headers } = await sendUpgrade(service.url, `/sync/${crypto.randomUUID()}`)
  expect(headers).toMatch(/\r\nError-Code: channel_not_found(\r\n|$)/)
})

test('a request that cannot be read has the code too', async () => {
  const head = ['GET /api HTTP/1.1', 'Host: a b', 'Connection: close', '', ''].join('\r\n')
  const { status, headers } = await sendRaw(service.url, head)
  expect(status).toBe(400)
  expect(headers).toMatch(/\r\nError-Code: bad_request(\r\n|$)/i)
})

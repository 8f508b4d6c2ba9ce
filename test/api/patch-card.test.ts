// PATCH of a card over HTTP: response, rows and document are equal, and an error changes nothing.
import { beforeEach, describe, expect, test } from 'vitest'
import { createTestCards, ISO, pushCard, readCard, readDocumentCards } from '../support/cards.ts'
import { invalid } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'

let path: string
let later = 0

const { service, ann } = await runWithOwner({}, { now: () => Date.now() + later })
const cards = await createTestCards(ann)

beforeEach(async () => {
  path = await pushCard(ann.key, cards, {
    blocks: [
      { type: 'text', id: 'text', content: 'Old' },
      { type: 'badge', id: 'badge', label: 'Old' },
      { type: 'kv', id: 'kv', rows: [{ key: 'a', value: '1' }] },
      { type: 'button', id: 'buttons', buttons: [{ id: 'go', label: 'Go', confirm: 'Sure?' }] },
      { type: 'image', id: 'image', url: 'https://example.com', alt: 'Old' },
      { type: 'select', id: 'select', label: 'S', options: ['a', 'b'], value: 'a', hint: 'h' },
    ],
  })
})

/** The card as rows have it, as the document has it, and the document's place in the log. */
async function everywhere() {
  const card = await readCard(ann.key, path)
  const shown = (await readDocumentCards(ann, cards)).find(({ id }) => id === card.id)
  const [log] = await service.sql`select seq, clock from documents where channel_id = ${card.channel_id}`
  return { card, shown, log }
}

test('returns 200 with id, channel_id, status, blocks and updated_at, equal to rows and document', async () => {
  const before = await readCard(ann.key, path)
  const { status, body } = await ann.key('PATCH', path, {
    status: 'success',
    blocks: [
      { id: 'text', patch: { content: 'New', size: 'xl', bold: true } },
      { id: 'badge', patch: { label: 'New', variant: 'error' } },
      { id: 'kv', patch: { append_rows: [{ key: 'b', value: '2' }] } },
      {
        id: 'buttons',
        patch: {
          buttons: [
            { id: 'go', patch: { label: 'Gone', disabled: true, style: 'danger', confirm: null } },
            { id: 'stay', label: 'Stay' },
          ],
        },
      },
      { id: 'image', patch: { alt: null, url: 'https://example.org' } },
      { id: 'select', patch: { options: ['c'], value: 'c', hint: null } },
    ],
  })
  expect(status).toBe(200)
  const flags = { required: false, disabled: false, send_on_change: false }
  expect(body).toStrictEqual({
    id: before.id,
    channel_id: before.channel_id,
    status: 'success',
    blocks: [
      { type: 'text', id: 'text', content: 'New', size: 'xl', bold: true },
      { type: 'badge', id: 'badge', label: 'New', variant: 'error' },
      {
        type: 'kv',
        id: 'kv',
        rows: [
          { key: 'a', value: '1' },
          { key: 'b', value: '2' },
        ],
      },
      {
        type: 'button',
        id: 'buttons',
        buttons: [
          { id: 'go', label: 'Gone', style: 'danger', disabled: true },
          { id: 'stay', label: 'Stay', style: 'primary', disabled: false },
        ],
      },
      { type: 'image', id: 'image', url: 'https://example.org' },
      {
        type: 'select',
        id: 'select',
        label: 'S',
        options: [{ value: 'c', label: 'c' }],
        value: 'c',
        ...flags,
      },
    ],
    updated_at: expect.stringMatching(ISO),
  })
  const { card, shown } = await everywhere()
  expect(card).toStrictEqual({ ...body, created_at: before.created_at })
  expect(shown).toStrictEqual({ ...card, position: expect.any(Number) })
})

test('a document has no field that null cleared', async () => {
  await ann.key('PATCH', path, { blocks: [{ id: 'image', patch: { alt: null } }] })
  const { shown } = await everywhere()
  expect(shown?.blocks[4]).toStrictEqual({ type: 'image', id: 'image', url: 'https://example.com' })
})

describe('one wrong item among good ones changes nothing', () => {
  const good = [
    { id: 'text', patch: { content: 'New' } },
    { id: 'kv', patch: { append_rows: [{ key: 'b', value: '2' }] } },
  ]
  test.each([
    [{ id: 'unknown', patch: {} }, 'blocks[2]: no block with id "unknown"'],
    [{ id: 'badge', patch: { label: '' } }, 'blocks[2].patch.label is required'],
    [
      { id: 'buttons', patch: { buttons: [{ id: 'x', patch: {} }] } },
      'blocks[2].buttons[0]: no button with id "x"',
    ],
    [
      { id: 'text', patch: { label: 'x' } },
      'blocks[2].patch.label is not a field of a text block that can be patched',
    ],
    [{ id: 'select', patch: { options: ['c'] } }, 'blocks[2].patch.value must be one of the options'],
    [{ id: 'text' }, 'blocks[2].patch is required'],
  ])('%j', async (wrong, error) => {
    const before = await everywhere()
    const body = { status: 'error', blocks: [...good, wrong, { id: 'badge', patch: { label: 'New' } }] }
    expect(await ann.key('PATCH', path, body)).toMatchObject(invalid(error))
    expect(await everywhere()).toStrictEqual(before)
  })

  test('an unknown status', async () => {
    const before = await everywhere()
    expect((await ann.key('PATCH', path, { status: 'x', blocks: good })).status).toBe(400)
    expect(await everywhere()).toStrictEqual(before)
  })
})

test.each([{}, { blocks: [] }, { colour: 'red' }])(
  'an empty PATCH %j returns 200 and changes nothing',
  async body => {
    const before = await everywhere()
    const response = await ann.key('PATCH', path, body)
    const { created_at: _, ...card } = before.card
    expect(response).toMatchObject({ status: 200, body: card })
    expect(await everywhere()).toStrictEqual(before)
  },
)

test('a PATCH with the current values changes updated_at', async () => {
  const before = await everywhere()
  later += 5
  await ann.key('PATCH', path, { blocks: [{ id: 'text', patch: {} }] })
  const after = await everywhere()
  expect(Date.parse(after.card.updated_at)).toBeGreaterThan(Date.parse(before.card.updated_at))
  expect(after.card).toStrictEqual({ ...before.card, updated_at: after.card.updated_at })
  expect(after.shown?.updated_at).toBe(after.card.updated_at)
})

test('a kv block listed twice replaces its rows, then appends more', async () => {
  const row = (key: string) => ({ key, value: '' })
  await ann.key('PATCH', path, {
    blocks: [
      { id: 'kv', patch: { append_rows: [row('lost')] } },
      { id: 'kv', patch: { rows: [row('x')] } },
      { id: 'kv', patch: { append_rows: [row('y')] } },
    ],
  })
  const { card, shown } = await everywhere()
  expect(card.blocks[2]).toStrictEqual({ type: 'kv', id: 'kv', rows: [row('x'), row('y')] })
  expect(shown?.blocks).toStrictEqual(card.blocks)
})

test('a __proto__ key in a patch returns 400 like any unknown field and changes no prototype', async () => {
  const body = '{"blocks":[{"id":"text","patch":{"__proto__":{"content":"x","polluted":1},"content":"y"}}]}'
  const before = await everywhere()
  expect(await ann.key('PATCH', path, body)).toMatchObject(
    invalid('blocks[0].patch.__proto__ is not a field of a text block that can be patched'),
  )
  expect(Reflect.get({}, 'polluted')).toBeUndefined()
  expect(await everywhere()).toStrictEqual(before)
})

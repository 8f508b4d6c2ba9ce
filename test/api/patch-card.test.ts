// PATCH of a card over HTTP: response, rows and document are equal, and an error changes nothing.
import { beforeEach, describe, expect, test } from 'vitest'
import { patchCardBody } from '../../shared/card.ts'
import { patchCard } from '../../shared/card-patch.ts'
import { parse } from '../../shared/invalid.ts'
import { everyField, everyPatch } from '../support/card-patches.ts'
import { createTestChannel, ISO, pushCard, readCard, readDocumentCards } from '../support/cards.ts'
import { invalid } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'

let path: string
let later = 0

const { service, ann } = await runWithOwner({}, { now: () => Date.now() + later })
const cards = await createTestChannel(ann)

beforeEach(async () => {
  path = await pushCard(ann.key, cards, { blocks: everyField })
})

/** The card as rows have it, as the document has it, and the document's place in the log. */
async function everywhere() {
  const card = await readCard(ann.key, path)
  const shown = (await readDocumentCards(ann, cards)).find(({ id }) => id === card.id)
  const [log] = await service.sql`select seq, clock from documents where channel_id = ${card.channel_id}`
  return { card, shown, log }
}

test('PATCH returns 200 with the card but its created_at, equal to rows and document', async () => {
  const before = await readCard(ann.key, path)
  // shared/card-patch.test.ts checks what patchCard returns.
  const { created_at, ...expected } = patchCard(before, parse(patchCardBody, everyPatch), '').card
  const { status, body } = await ann.key('PATCH', path, everyPatch)
  expect(status).toBe(200)
  expect(body).toStrictEqual({ ...expected, updated_at: expect.stringMatching(ISO) })
  const { card, shown } = await everywhere()
  expect(card).toStrictEqual({ ...body, created_at })
  expect(shown).toStrictEqual({ ...card, position: expect.any(Number) })
})

describe('a wrong item', () => {
  const good = [
    { id: 'text', patch: { content: 'New' } },
    { id: 'kv', patch: { append_rows: [{ key: 'b', value: '2' }] } },
  ]
  const foreign = 'is not a field of a text block that can be patched'
  test.each([
    [{ id: 'unknown', patch: {} }, 'blocks[2]: no block with id "unknown"'],
    [{ id: 'badge', patch: { label: '' } }, 'blocks[2].patch.label is required'],
    [
      { id: 'button', patch: { buttons: [{ id: 'x', patch: {} }] } },
      'blocks[2].buttons[0]: no button with id "x"',
    ],
    [{ id: 'text', patch: { label: 'x' } }, `blocks[2].patch.label ${foreign}`],
    [
      { id: 'text', patch: JSON.parse('{"__proto__": {"polluted": 1}}') },
      `blocks[2].patch.__proto__ ${foreign}`,
    ],
    [{ id: 'select', patch: { options: ['c'] } }, 'blocks[2].patch.value must be one of the options'],
    [{ id: 'text' }, 'blocks[2].patch is required'],
  ])('the wrong item %j among good ones changes nothing', async (wrong, error) => {
    const before = await everywhere()
    const body = { status: 'error', blocks: [...good, wrong, { id: 'badge', patch: { label: 'New' } }] }
    expect(await ann.key('PATCH', path, body)).toMatchObject(invalid(error))
    expect(await everywhere()).toStrictEqual(before)
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })

  test('an unknown status among good items changes nothing', async () => {
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

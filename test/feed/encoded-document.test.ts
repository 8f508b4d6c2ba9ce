// The service writes and joins Yjs updates without Yjs. They must mean what Yjs would have written.
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import * as decoding from 'lib0/decoding'
import * as encoding from 'lib0/encoding'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { EncodedDocument } from '../../server/feed/document/encoded-document.ts'
import { LiveDocument } from '../../server/feed/document/live-document.ts'
import { readUpdate } from '../../server/feed/document/update-reader.ts'
import type { Mutation } from '../../server/feed/turn/mutation.ts'
import type { Block } from '../../shared/block.ts'
import type { PatchCardBody, PlacedCard } from '../../shared/card.ts'
import { pageOf } from '../../shared/channel-doc.ts'
import { LIVE_PAGES, PAGE_SIZE } from '../../shared/limits.ts'
import { cardsOf } from '../support/viewer.ts'
import { appendCard } from '../support/yjs-cards.ts'
import { CHANNEL, ChannelModel, CLIENT } from './channel-model.ts'
import { block, text } from './random-cards.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
console.info(`fast-check seed ${seed}: SEED=${seed} repeats the run`)

const content = { content: text, blocks: fc.array(block, { maxLength: 3 }) }
const insert = fc.record({ kind: fc.constant('insert' as const), ...content })
/** `at`: chooses a card; of a step, a part of the log. */
const write = fc.oneof(
  insert,
  fc.record({ kind: fc.constant('upsert' as const), ...content, key: fc.nat(9) }),
  fc.record({
    kind: fc.constantFrom('patch', 'append rows', 'replace rows', 'delete', 'head'),
    at: fc.nat(),
    content: text,
  }),
)
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('inserts' as const),
      writes: fc.array(insert, { minLength: 1, maxLength: 3 }),
      // A turn may fill several pages, even more than are live.
      copies: fc.oneof({ weight: 9, arbitrary: fc.integer({ min: 1, max: 40 }) }, fc.nat(150)),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('mixed' as const),
      writes: fc.array(write, { minLength: 1, maxLength: 8 }),
      copies: fc.constant(1),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      // So many tombstones that the newest page may be replaced by a copy.
      kind: fc.constant('churn' as const),
      writes: fc.constant([{ kind: 'patch' as const, at: -1, content: '' }]),
      copies: fc.constant(700),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('encode' as const), at: fc.nat() }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('snapshot', 'reload', 'hand over', 'rest') }) },
)

/** Every text begins with a number of its own, by which a test finds it in bytes. */
let texts = 0
const numbersIn = (bytes: string) => [...new Set(bytes.match(/<\d+>/g))].sort()

function mutationOf(write: Write, cards: PlacedCard[]): Mutation[] {
  const content = `<${texts++}>${write.content}`
  const row = { key: content, value: '' }
  if (write.kind === 'insert' || write.kind === 'upsert') {
    const blocks: Block[] = [
      { type: 'text', id: 'text', content, size: 'md', bold: false },
      { type: 'kv', id: 'kv', rows: [row] },
      ...write.blocks,
    ]
    const card = { id: randomUUID(), status: 'default', blocks } as const
    return write.kind === 'insert'
      ? [{ kind: 'insert', ...card }]
      : [{ kind: 'upsert', key: `key ${write.key}`, ...card }]
  }
  if (write.kind === 'head') return [{ kind: 'head', change: () => ({ name: content }) }]
  const card = cards.at(write.at % cards.length)
  if (!card) return []
  if (write.kind === 'delete') return [{ kind: 'delete', ref: { id: card.id } }]
  const bodies: Record<typeof write.kind, PatchCardBody> = {
    patch: { status: 'success', blocks: [{ id: 'text', patch: { content } }] },
    'append rows': { blocks: [{ id: 'kv', patch: { append_rows: [row] } }] },
    'replace rows': { blocks: [{ id: 'kv', patch: { rows: [row, row] } }] },
  }
  return [{ kind: 'patch', ref: { id: card.id }, body: bodies[write.kind] }]
}

function docOf(...updates: Uint8Array[]): Y.Doc {
  const doc = new Y.Doc()
  for (const update of updates) Y.applyUpdate(doc, update)
  return doc
}

function contentOf(doc: Y.Doc) {
  const [pages, channel, log] = ['pages', 'channel', 'log'].map(root => doc.getMap(root).toJSON())
  const { pendingStructs, pendingDs } = doc.store
  return {
    pages,
    channel,
    log,
    clocks: [...Y.decodeStateVector(Y.encodeStateVector(doc))],
    pendingStructs,
    pendingDs,
  }
}

/** Compares a turn of inserts with the same turn by Yjs. `before`: the document before the turn. */
function expectAsByYjs(before: Y.Doc, cards: PlacedCard[], update: Uint8Array): void {
  const state = Y.encodeStateAsUpdate(before)
  const other = docOf(state)
  other.clientID = CLIENT
  let by_yjs: Uint8Array = new Uint8Array()
  other.once('update', bytes => {
    by_yjs = bytes
  })
  other.transact(() => {
    for (const card of cards) appendCard(other, card)
  })
  const [doc, doc_by_yjs] = [docOf(state, update), docOf(state, by_yjs)]
  expectContent(doc, contentOf(doc_by_yjs))
  expectSameBytes(Y.encodeStateAsUpdate(doc), Y.encodeStateAsUpdate(doc_by_yjs))
  // Yjs names each item of archived pages as deleted; the service names only the pages. And Yjs writes nothing that
  // comes and goes in one turn: a page, or the `oldest_page` of the first of two archivals.
  const positions = cards.map(({ position }) => position)
  const pages_begun = pageOf(Math.max(...positions)) - pageOf(Math.min(...positions) - 1)
  if (pages_begun <= 1) expectSameBytes(structsOf(update), structsOf(by_yjs))
  if (readUpdate(update).deleted.length === 0) expectSameBytes(update, by_yjs)
}

const structsOf = (update: Uint8Array) => update.subarray(0, readUpdate(update).structs.at(-1)?.to)

function expectSameBytes(actual: Uint8Array, expected: Uint8Array): void {
  expect(Buffer.from(actual).equals(expected)).toBe(true)
}

/** `expected`: of `contentOf`. The matchers of vitest would take minutes to describe how large documents differ. */
function expectContent(doc: Y.Doc, expected: object): void {
  expect(isDeepStrictEqual(contentOf(doc), expected)).toBe(true)
}

/** Measured: 0.9996 to 1.00002 times as long as Yjs's encoding. */
const LONGEST = 1.001

/** Compares what new viewers, returning viewers and other instances make of the document with `stock`. */
function expectEncodes(model: ChannelModel, stock: Y.Doc, at: number): void {
  const expected = contentOf(stock)
  const state = model.takeSnapshot()
  const known = at % model.log.length
  const prefix = model.updates(0, known)
  const again = new EncodedDocument(CLIENT, [state])
  expectContent(docOf(state), expected)
  expectContent(docOf(...prefix, state), expected)
  expectContent(docOf(...prefix, Y.mergeUpdates(model.updates(known))), expected)
  expectContent(docOf(again.encode()), expected)
  expect(numbersIn(Buffer.from(state).toString('latin1'))).toEqual(numbersIn(JSON.stringify(expected)))
  expect(state.length).toBeLessThanOrEqual(Y.encodeStateAsUpdate(stock).length * LONGEST)

  const vector = Y.encodeStateVector(docOf(...prefix))
  expectContent(docOf(...prefix, Y.diffUpdate(state, vector)), expected)
  expect([...Y.decodeStateVector(Y.encodeStateVectorFromUpdate(state))]).toEqual(expected.clocks)
  expect([...Y.parseUpdateMeta(state).to]).toEqual(expected.clocks)
}

/** Of archived pages, Yjs keeps the items that held their maps. And it joins neighbouring garbage when it loads a document. */
function expectCompact(model: ChannelModel, stock: Y.Doc): void {
  if (model.live.oldest_page > 0) return
  const [state, by_yjs] = [model.takeSnapshot(), Y.encodeStateAsUpdate(stock)]
  expectSameBytes(Y.encodeStateAsUpdate(docOf(state)), Y.encodeStateAsUpdate(docOf(by_yjs)))
}

/** Merges the log in groups, and applies these in another order. */
function expectAnyOrder(model: ChannelModel, stock: Y.Doc, choices: number[]): void {
  const choice = (i: number) => choices[i % choices.length] ?? 0
  const groups = new Map<number, Uint8Array[]>()
  for (const [i, update] of model.updates().entries()) {
    const group = choice(i) % (1 + (choice(0) % model.log.length))
    groups.set(group, [...(groups.get(group) ?? []), update])
  }
  const shuffled = [...groups.entries()].sort(([a], [b]) => choice(a) - choice(b))
  const doc = docOf(...shuffled.map(([, updates]) => Y.mergeUpdates(updates)))
  expectContent(doc, contentOf(stock))
}

test('readers of the log and of the encoded document get what Yjs would have written', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.array(fc.nat(), { minLength: 1, maxLength: 50 }),
      (steps, choices) => {
        const model = new ChannelModel()
        const stock = docOf(...model.updates())
        for (const step of [...steps, { kind: 'encode', at: choices[0] ?? 0 } as const]) {
          if (step.kind === 'encode') expectEncodes(model, stock, step.at)
          if (step.kind === 'snapshot') model.takeSnapshot()
          if (step.kind === 'reload') model.reload()
          if (step.kind === 'hand over') model.handOver()
          if (step.kind === 'rest') model.live.freeUnused(Infinity)
          if (!('writes' in step)) continue
          const rows = [...model.rows.values()]
          const writes = Array.from({ length: step.copies }, () => step.writes).flat()
          const { length } = model.log
          const { clock } = model.live
          const cards = model.turn(writes.flatMap(write => mutationOf(write, rows)))
          for (const update of model.updates(length)) {
            const { from, to } = Y.parseUpdateMeta(update)
            expect([...from, ...to]).toEqual([
              [CLIENT, clock],
              [CLIENT, model.live.clock],
            ])
            if (cards) expectAsByYjs(stock, cards, update)
            Y.applyUpdate(stock, update)
          }
        }
        expectAnyOrder(model, stock, choices)
        expectCompact(model, stock)
        // Encoding replaces lone surrogates.
        const rows = encoding.encode(encoder => encoding.writeAny(encoder, model.liveRows()))
        expect(cardsOf(stock, CHANNEL)).toEqual(decoding.readAny(decoding.createDecoder(rows)))
      },
    ),
    // As many documents as a busy machine manages.
    { seed, numRuns: 20, interruptAfterTimeLimit: 60_000 },
  )
}, 120_000)

test('a document without `oldest_page` archives as Yjs does', () => {
  const document = new LiveDocument(CHANNEL, CLIENT, [])
  const doc = new Y.Doc()
  for (let page = 0; page < 7; page++) {
    const cards = Array.from({ length: PAGE_SIZE }, (_, i) => cardAt(page * PAGE_SIZE + i))
    const update = append(document, cards)
    expectAsByYjs(doc, cards, update)
    Y.applyUpdate(doc, update)
  }
  expectContent(docOf(document.encode()), contentOf(doc))
})

test('an update by another client, or by two, is refused', () => {
  const [of_other, of_another] = [1, 2].map(id => append(new LiveDocument(CHANNEL, id, []), [cardAt(0)]))
  if (!of_other || !of_another) throw new Error('an append returns an update')
  expect(() => new EncodedDocument(CLIENT, [of_other])).toThrow('client')
  expect(() => new EncodedDocument(1, [Y.mergeUpdates([of_other, of_another])])).toThrow('client')
})

test('archived cards leave memory', async () => {
  setFlagsFromString('--expose-gc')
  const collectGarbage = runInNewContext('gc')
  const document = new LiveDocument(CHANNEL, CLIENT, new ChannelModel().updates())
  const updates: WeakRef<Uint8Array>[] = []
  for (let i = 0; i < 20 * PAGE_SIZE; i++) updates.push(new WeakRef(append(document, [cardAt(i)])))
  const kept = () => {
    collectGarbage()
    return updates.findIndex(update => update.deref())
  }
  await expect.poll(kept).toBe((20 - LIVE_PAGES) * PAGE_SIZE)
  expect(document.encode().length).toBeLessThan(LIVE_PAGES * PAGE_SIZE * 500)
})

function append(document: LiveDocument, cards: PlacedCard[]): Uint8Array {
  const update = document.transact(() => {
    for (const card of cards) document.insert(card)
  })
  if (!update) throw new Error('an append returns an update')
  return update
}

function cardAt(position: number): PlacedCard {
  const at = '2026-01-31T12:00:00.000Z'
  const blocks: Block[] = [{ type: 'text', id: 't', content: 'x', size: 'md', bold: false }]
  const card = { id: randomUUID(), channel_id: CHANNEL, status: 'default', blocks, position } as const
  return { ...card, created_at: at, updated_at: at }
}

// The live document alone: after any mutations, new, live and returning viewers have the same cards.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { LiveDocument } from '../../server/feed/document/live-document.ts'
import type { Mutation } from '../../server/feed/turn/mutation.ts'
import { oldestPageOf, touchedOf } from '../../shared/channel-doc.ts'
import { cardsOf } from '../support/viewer.ts'
import { CHANNEL, ChannelModel, CLIENT } from './channel-model.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
console.info(`fast-check seed ${seed}: SEED=${seed} repeats the run`)

const insert = (): Mutation & { id: string } => ({
  kind: 'insert',
  id: randomUUID(),
  status: 'default',
  blocks: [
    { type: 'text', id: 't', content: 'x', size: 'md', bold: false },
    { type: 'kv', id: 'kv', rows: [{ key: 'a', value: 'b' }] },
  ],
})
const patch = (id: string, content: string): Mutation => ({
  kind: 'patch',
  ref: { id },
  body: {
    status: 'success',
    blocks: [
      { id: 't', patch: { content } },
      { id: 'kv', patch: { append_rows: [{ key: content, value: '' }] } },
    ],
  },
})

const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('insert'),
      at: fc.nat(),
      many: fc.integer({ min: 1, max: 64 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('patch'), at: fc.nat(), many: fc.integer({ min: 1, max: 6 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('delete'), at: fc.nat(), many: fc.integer({ min: 1, max: 8 }) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reload'), at: fc.nat(), many: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('return'), at: fc.nat(), many: fc.nat() }) },
)

test('fresh, live and returning viewers converge on the rows after any mutations', () => {
  fc.assert(
    fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), steps => {
      const model = new ChannelModel()
      const [always, returning] = [new Y.Doc(), new Y.Doc()]
      let [applied, seen] = [0, 0]
      const follow = (doc: Y.Doc, from: number) => {
        for (const { update } of model.log.slice(from)) Y.applyUpdate(doc, update)
        return model.log.length
      }
      for (const [n, { kind, at, many }] of steps.entries()) {
        const ids = [...model.rows.keys()]
        const some = [...new Set(Array.from({ length: many % 10 }, (_, i) => ids[(at + i * 7) % ids.length]))]
        const known = some.filter(id => id !== undefined)
        if (kind === 'insert') model.turn(Array.from({ length: many }, insert))
        else if (kind === 'patch') model.turn(known.map(id => patch(id, `${n}`)))
        else if (kind === 'delete') model.turn(known.map(id => ({ kind: 'delete', ref: { id } })))
        else if (kind === 'reload') model.reload()
        else seen = follow(returning, seen)
        applied = follow(always, applied)
        expect(cardsOf(always, CHANNEL)).toEqual(model.liveRows())
      }
      // The returning viewer's vector names one position in the log, and the viewer lacks only the tail from there.
      const [[, clock = 0] = []] = [...Y.decodeStateVector(Y.encodeStateVector(returning))]
      const from = model.log.findIndex(logged => logged.clock === clock) + 1
      expect(from).toBe(seen)
      if (from < model.log.length)
        Y.applyUpdate(returning, Y.mergeUpdates(model.log.slice(from).map(({ update }) => update)))
      const fresh = new Y.Doc()
      Y.applyUpdate(fresh, model.live.encode())
      for (const doc of [fresh, returning, always]) {
        expect(cardsOf(doc, CHANNEL)).toEqual(model.liveRows())
        expect(oldestPageOf(doc)).toBe(model.live.oldest_page)
        expect([...(touchedOf(doc) ?? [])].sort()).toEqual(
          [...model.versions].map(([page, version]) => [String(page), version]).sort(),
        )
      }
    }),
    // As many channels as a busy machine manages.
    { seed, numRuns: 40, interruptAfterTimeLimit: 30_000 },
  )
}, 60_000)

test('a card that is patched and archived in one turn is archived with its patch', () => {
  const model = new ChannelModel()
  const first = insert()
  model.turn([first])
  for (let i = 0; i < 4; i++) model.turn(Array.from({ length: 64 }, insert))
  model.turn(Array.from({ length: 63 }, insert))
  expect(model.live.isArchived(0)).toBe(false)
  model.turn([patch(first.id, 'before'), insert(), patch(first.id, 'after')])
  expect(model.live.isArchived(0)).toBe(true)
  expect(model.rows.get(first.id)?.blocks[0]).toMatchObject({ content: 'after' })
  expect([...model.versions.keys()]).toEqual([0])
  const viewer = new Y.Doc()
  Y.applyUpdate(viewer, model.live.encode())
  expect(touchedOf(viewer)?.has('0')).toBe(true)
})

test('many patches leave the document small, and viewers with the same cards', () => {
  const model = new ChannelModel()
  const cards = Array.from({ length: 5 }, insert)
  model.turn(cards)
  const viewer = new Y.Doc()
  let applied = 0
  for (let i = 0; i < 4_000; i++) {
    const card = cards[i % cards.length]
    if (card)
      model.turn([
        { kind: 'patch', ref: { id: card.id }, body: { blocks: [{ id: 't', patch: { content: `${i}` } }] } },
      ])
    if (i === 2_000) model.reload()
    for (const { update } of model.log.slice(applied)) Y.applyUpdate(viewer, update)
    applied = model.log.length
  }
  expect(model.live.encode().length).toBeLessThan(40_000)
  expect(cardsOf(viewer, CHANNEL)).toEqual(model.liveRows())
})

test('many deletions leave the document small', () => {
  const model = new ChannelModel()
  for (let i = 0; i < 1_500; i++) {
    const card = insert()
    model.turn([card])
    model.turn([{ kind: 'delete', ref: { id: card.id } }])
  }
  expect(model.live.encode().length).toBeLessThan(60_000)
  expect(model.liveRows()).toEqual([])
})

test("tombstones of other instances' turns are counted", () => {
  const model = new ChannelModel()
  const card = insert()
  model.turn([card])
  const other = new LiveDocument(
    CHANNEL,
    CLIENT,
    model.log.map(({ update }) => update),
  )
  let applied = model.log.length
  // The other instance writes all but every tenth turn.
  for (let i = 0; i < 3_000; i++) {
    const mine = model.live
    if (i % 10 !== 0) model.live = other
    else if (applied < model.log.length) mine.apply(model.log.slice(applied).map(({ update }) => update))
    const before = model.log.length
    model.turn([
      { kind: 'patch', ref: { id: card.id }, body: { blocks: [{ id: 't', patch: { content: `${i}` } }] } },
    ])
    model.live = mine
    if (i % 10 === 0) {
      other.apply(model.log.slice(before).map(({ update }) => update))
      applied = model.log.length
    }
  }
  expect(other.encode().length).toBeLessThan(40_000)
  expect(other.head().name).toBe('Channel')
})

test('what was read from the bytes leaves memory when it is not used', () => {
  const model = new ChannelModel()
  const without = model.live.memory
  expect(model.live.head().name).toBe('Channel')
  expect(model.live.memory).toBeGreaterThan(without)
  const used_at = performance.now()
  let since = used_at
  while (since === used_at) since = performance.now()
  expect(model.live.clock).toBe(model.log.at(-1)?.clock)
  model.live.freeUnused(since)
  expect(model.live.memory).toBe(without)
})

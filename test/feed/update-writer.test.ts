// The service writes values and structs without Yjs, as Yjs would.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { readUpdate } from '../../server/feed/document/update-reader.ts'
import { UpdateWriter } from '../../server/feed/document/update-writer.ts'
import { text, value } from './random-cards.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
console.info(`fast-check seed ${seed}: SEED=${seed} repeats the run`)

test('any value has the bytes that Yjs writes, and is passed over whole', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2 ** 32 - 1 }),
      fc.array(fc.tuple(text, value)),
      fc.array(value, { minLength: 1 }),
      (client_id, entries, elements) => {
        const doc = new Y.Doc()
        doc.clientID = client_id
        const writer = new UpdateWriter(client_id, 0)
        doc.transact(() => {
          for (const [i, [key, value]] of entries.entries()) {
            // In an array, because Yjs looks at the constructors of values.
            doc.getMap('channel').set(`${i}${key}`, [value])
            writer.value('channel', `${i}${key}`, [value])
          }
          doc.getMap('channel').set('array', Y.Array.from(elements.map(element => [element])))
          const array = writer.array('channel', 'array')
          writer.elements(
            array,
            elements.map(element => [element]),
          )
        })
        const update = writer.finish([])
        expect(Buffer.from(update).equals(Y.encodeStateAsUpdate(doc))).toBe(true)
        const { structs } = readUpdate(update)
        expect(structs.map(({ length }) => length)).toEqual([...entries.map(() => 1), 1, elements.length])
        for (const [i, { from }] of structs.entries()) if (i > 0) expect(from).toBe(structs[i - 1]?.to)
      },
    ),
    { seed, numRuns: 500 },
  )
})

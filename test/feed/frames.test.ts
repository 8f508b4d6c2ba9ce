// Reads viewers' messages, and compares their state with the document.
import fc from 'fast-check'
import * as encoding from 'lib0/encoding'
import { describe, expect, test } from 'vitest'
import * as Y from 'yjs'
import { RecentUpdates } from '../../server/feed/log/recent-updates.ts'
import { progressOf, readMessage, stateFrame, updateFrame } from '../../server/feed/viewers/frames.ts'

const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
const options = { seed, numRuns: 300 }
console.info(`fast-check seed ${seed}: SEED=${seed} repeats the run`)

function step1(entries: [number, number][], count = entries.length): Uint8Array {
  return encoding.encode(encoder => {
    encoding.writeVarUint(encoder, 0)
    encoding.writeVarUint(encoder, 0)
    encoding.writeVarUint8Array(
      encoder,
      encoding.encode(inner => {
        encoding.writeVarUint(inner, count)
        for (const [client, clock] of entries) {
          encoding.writeVarUint(inner, client)
          encoding.writeVarUint(inner, clock)
        }
      }),
    )
  })
}

describe('readMessage', () => {
  test('reads the state vector that Yjs writes', () => {
    const doc = new Y.Doc()
    doc.getMap('m').set('a', 1)
    const message = encoding.encode(encoder => {
      encoding.writeVarUint(encoder, 0)
      encoding.writeVarUint(encoder, 0)
      encoding.writeVarUint8Array(encoder, Y.encodeStateVector(doc))
    })
    expect(readMessage(message)).toEqual({ kind: 'step1', vector: new Map([[doc.clientID, 1]]) })
  })

  test('never throws', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, asStep1) => {
        const { kind } = readMessage(asStep1 ? new Uint8Array([0, 0, ...bytes]) : bytes)
        expect(['step1', 'dropped', 'malformed']).toContain(kind)
      }),
      options,
    )
  })

  test('an incomplete step 1 is malformed', () => {
    const entry = fc.tuple(fc.nat(), fc.nat())
    fc.assert(
      fc.property(fc.array(entry, { minLength: 1, maxLength: 20 }), fc.nat(), (entries, cut) => {
        const whole = step1(entries)
        const short = whole.subarray(0, cut % whole.length)
        expect(readMessage(short).kind).toBe('malformed')
        // Even if other bytes follow in the same buffer.
        expect(readMessage(Buffer.from(whole).subarray(0, cut % whole.length)).kind).toBe('malformed')
      }),
      options,
    )
  })

  test.each([
    ['an update', [0, 2, 1, 0], 'dropped'],
    ['a step 2', [0, 1, 1, 0], 'dropped'],
    ['awareness', [1, 1, 0], 'dropped'],
    ['a request for awareness', [3], 'dropped'],
    ['nothing', [], 'malformed'],
    ['an unknown type', [4], 'malformed'],
    ['an unknown step', [0, 3], 'malformed'],
    ['a varint without end', [0, 0, ...new Array<number>(12).fill(255)], 'malformed'],
  ])('%s: %j is %s', (_, bytes, kind) => {
    expect(readMessage(new Uint8Array(bytes)).kind).toBe(kind)
  })

  test('a state vector with more than 64 clients is malformed, and its entries are not read', () => {
    const entries = Array.from({ length: 64 }, (_, i): [number, number] => [i + 1, 1])
    expect(readMessage(step1(entries)).kind).toBe('step1')
    expect(readMessage(step1([...entries, [99, 1]])).kind).toBe('malformed')
    expect(readMessage(step1([], 1_000_000)).kind).toBe('malformed')
    expect(readMessage(step1([], Number.MAX_SAFE_INTEGER)).kind).toBe('malformed')
  })
})

describe('progressOf', () => {
  const document = { client_id: 7, clock: 100 }
  const cases: [string, [number, number][], object][] = [
    ['knows nothing', [], { kind: 'empty' }],
    ['knows our client at 0', [[7, 0]], { kind: 'empty' }],
    ['is in the middle', [[7, 40]], { kind: 'at', clock: 40 }],
    ['has everything', [[7, 100]], { kind: 'at', clock: 100 }],
    ['is ahead', [[7, 101]], { kind: 'lost' }],
    ['knows another client', [[8, 1]], { kind: 'lost' }],
    [
      'knows both',
      [
        [7, 40],
        [8, 1],
      ],
      { kind: 'lost' },
    ],
    [
      'knows another client at 0',
      [
        [7, 40],
        [8, 0],
      ],
      { kind: 'at', clock: 40 },
    ],
  ]
  test.each(cases)('a viewer that %s', (_, vector, progress) => {
    expect(progressOf(new Map(vector), document)).toEqual(progress)
  })
})

test('a frame of any size encodes its length as in RFC 6455', () => {
  for (const size of [0, 1, 100, 125, 126, 127, 65_535, 65_536, 200_000]) {
    const update = new Uint8Array(size).fill(7)
    for (const frame of [stateFrame(update), updateFrame(update)]) {
      expect(frame[0]).toBe(0x82)
      const short = (frame[1] ?? 0) & 0x7f
      const header = short < 126 ? 2 : short === 126 ? 4 : 10
      const length =
        short < 126 ? short : short === 126 ? frame.readUInt16BE(2) : Number(frame.readBigUInt64BE(2))
      expect(frame.length).toBe(header + length)
      expect(frame.subarray(-size || frame.length).every(byte => byte === 7)).toBe(true)
    }
  }
})

describe('RecentUpdates', () => {
  test('RecentUpdates returns the updates since a clock, or null if it does not reach back', () => {
    const recent = new RecentUpdates()
    for (let clock = 0; clock < 10; clock++) recent.push(clock, new Uint8Array([clock]))
    expect(recent.since(7)).toEqual([new Uint8Array([7]), new Uint8Array([8]), new Uint8Array([9])])
    expect(recent.since(10)).toBeNull()
    expect(recent.since(99)).toBeNull()
    recent.clear()
    expect(recent.since(7)).toBeNull()
  })

  test('limits the number of updates and their bytes', () => {
    const recent = new RecentUpdates()
    for (let clock = 0; clock < 1_000; clock++) recent.push(clock, new Uint8Array(1))
    expect(recent.since(999)).toHaveLength(1)
    expect(recent.since(800)).toBeNull()
    for (let clock = 1_000; clock < 1_010; clock++) recent.push(clock, new Uint8Array(200_000))
    expect(recent.since(1_009)).toHaveLength(1)
    expect(recent.since(1_004)).toBeNull()
  })
})

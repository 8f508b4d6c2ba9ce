// Viewers can't write: what they send changes nothing, and reaches no one.
import * as encoding from 'lib0/encoding'
import { expect, test } from 'vitest'
import * as Y from 'yjs'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { pushCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { runWithOwner } from '../support/running.ts'
import { openSocket, until, watch } from '../support/viewer.ts'

const { service, ann } = await runWithOwner()
const channel_id = await createChannel(ann)
const cards = `/channels/${channel_id}/cards`
await pushCard(ann.key, cards)

const open = () => openSocket(service.url, `/sync/${channel_id}?token=${ann.api_key}`)

function message(...parts: (number | Uint8Array)[]): Uint8Array {
  const encoder = encoding.createEncoder()
  for (const part of parts) {
    if (typeof part === 'number') encoding.writeVarUint(encoder, part)
    else encoding.writeVarUint8Array(encoder, part)
  }
  return encoding.toUint8Array(encoder)
}

/** An update that a client could forge: it has the server's client id, and continues the document. */
function forge(doc: Y.Doc): Uint8Array {
  const forged = new Y.Doc()
  Y.applyUpdate(forged, Y.encodeStateAsUpdate(doc))
  const [[client = 0] = []] = [...Y.decodeStateVector(Y.encodeStateVector(forged))]
  const before = Y.encodeStateVector(forged)
  forged.clientID = client
  forged.getMap('channel').set('name', 'Owned')
  forged.getMap('pages').clear()
  return Y.encodeStateAsUpdate(forged, before)
}

test('updates, step 2 and awareness of a viewer change nothing and reach nobody', async () => {
  const witness = watch(service.url, channel_id, { token: ann.api_key })
  await witness.sees(seen => seen.length === 1)
  const before = Y.encodeStateAsUpdate(witness.doc)
  let awareness = 0
  witness.provider.awareness.on('change', ({ added }: { added: number[] }) => {
    awareness += added.filter(id => id !== witness.doc.clientID).length
  })
  const logged = await countLog()

  const { socket, frames } = await open()
  const forged = forge(witness.doc)
  const state = encoding.encode(encoder => {
    encoding.writeVarUint(encoder, 1)
    encoding.writeVarUint(encoder, 12_345)
    encoding.writeVarUint(encoder, 1)
    encoding.writeVarString(encoder, '{"name":"Mallory"}')
  })
  socket.send(message(0, 2, forged))
  socket.send(message(0, 1, forged))
  socket.send(message(1, state))
  socket.send(message(3))
  // Its own step 1 still gets a response, after all of the above.
  socket.send(message(0, 0, new Uint8Array([0])))
  await until(() => frames.length > 0, 'the response')
  const received = new Y.Doc()
  Y.applyUpdate(received, (frames[0] ?? Buffer.alloc(0)).subarray(lengthBytes(frames[0])))
  expect(received.getMap('channel').get('name')).toBe('Channel')

  await pushCard(ann.key, cards)
  await witness.sees(seen => seen.length === 2)
  expect(Y.encodeStateVector(witness.doc)).not.toEqual(before)
  expect(witness.doc.getMap('channel').get('name')).toBe('Channel')
  expect(awareness).toBe(0)
  expect(await countLog()).toBe(logged + 1)
  await expectRowsMatchDocument(service.sql, channel_id)
})

const countLog = async () =>
  (await service.sql`select from document_updates where channel_id = ${channel_id}`).length

/** Message type, step and the length before an update. */
function lengthBytes(frame: Buffer | undefined): number {
  let at = 2
  while (frame && (frame[at] ?? 0) >= 0x80) at++
  return at + 1
}

test('an invalid message closes the socket with 1008, and a long one with 1009', async () => {
  const many = encoding.encode(encoder => {
    encoding.writeVarUint(encoder, 1_000_000)
    for (let i = 0; i < 1_000; i++) {
      encoding.writeVarUint(encoder, i)
      encoding.writeVarUint(encoder, 1)
    }
  })
  const junk: [string, number, Uint8Array][] = [
    ['an unknown type', 1008, message(77)],
    ['an unknown step', 1008, message(0, 9)],
    ['a state vector of a million entries', 1008, message(0, 0, many)],
    ['a length beyond the message', 1008, new Uint8Array([0, 0, 200, 1, 1])],
    ['a varint without end', 1008, new Uint8Array([0, 0, ...new Array<number>(30).fill(0xff)])],
    ['nothing', 1008, new Uint8Array()],
    ['17 KiB', 1009, message(0, 2, new Uint8Array(17 * 1024))],
  ]
  for (const [what, code, bytes] of junk) {
    const { socket, closed } = await open()
    socket.send(bytes)
    expect(`${what}: ${await closed}`).toBe(`${what}: ${code}`)
  }
})

test('a viewer that sends too many messages is closed with 1008', async () => {
  const { socket, closed } = await open()
  for (let i = 0; i < 401; i++) socket.send(message(1, new Uint8Array([0])))
  expect(await closed).toBe(1008)
  const asking = await open()
  for (let i = 0; i < 21; i++) asking.socket.send(message(0, 0, new Uint8Array([0])))
  expect(await asking.closed).toBe(1008)
})

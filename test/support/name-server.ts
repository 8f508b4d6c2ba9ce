// A DNS server over UDP. Tests choose what it says about a name.
import { createSocket } from 'node:dgram'
import { afterAll } from 'vitest'

/** `silent`: no response at all. An address: of the name, if its family is asked for. */
export type NameAnswer = 'silent' | 'unknown' | 'failing' | `${number}.${number}.${number}.${number}`

const CODES: Record<string, number> = { failing: 2, unknown: 3 }
const A = 1

export async function runNameServer(zone: (name: string) => NameAnswer) {
  const socket = createSocket('udp4')
  /** Names in the order of the questions, without repetitions. */
  const asked: string[] = []
  socket.on('message', (question, from) => {
    const { name, type, end } = read(question)
    if (!asked.includes(name)) asked.push(name)
    const says = zone(name)
    if (says !== 'silent') socket.send(reply(question.subarray(0, end), says, type), from.port, from.address)
  })
  await new Promise<void>(done => void socket.bind(0, '127.0.0.1', done))
  afterAll(() => void socket.close())
  return { address: `127.0.0.1:${socket.address().port}`, asked }
}

function read(question: Buffer) {
  const labels: string[] = []
  let at = 12
  for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), type: question.readUInt16BE(at + 1), end: at + 5 }
}

function reply(question: Buffer, says: string, type: number): Buffer {
  const bytes = says.includes('.') && type === A ? says.split('.').map(Number) : []
  const head = Buffer.from(question)
  head.writeUInt16BE(0x8180 | (CODES[says] ?? 0), 2)
  head.writeUInt16BE(bytes.length > 0 ? 1 : 0, 6)
  head.writeUInt16BE(0, 8)
  head.writeUInt16BE(0, 10)
  if (bytes.length === 0) return head
  return Buffer.concat([head, Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, bytes.length, ...bytes])])
}

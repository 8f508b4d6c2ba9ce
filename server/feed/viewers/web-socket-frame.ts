// Encodes WebSocket frames, so that one encoded frame can be written to many sockets.

const OPCODES = { text: 0x1, binary: 0x2 }
const FINAL = 0x80

/** A final, unmasked frame (RFC 6455, section 5.2). */
export const webSocketFrame = (kind: keyof typeof OPCODES, payload: Uint8Array) =>
  frameStart(kind, payload, 0)

/** A frame without the last `missing` bytes of its payload. `start`: the payload before them. */
export function frameStart(
  kind: keyof typeof OPCODES,
  start: Uint8Array,
  missing: number,
): Buffer<ArrayBuffer> {
  const size = start.length + missing
  const header = size < 126 ? 2 : size < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(header + start.length)
  frame[0] = FINAL | OPCODES[kind]
  if (header === 2) {
    frame[1] = size
  } else if (header === 4) {
    frame[1] = 126
    frame.writeUInt16BE(size, 2)
  } else {
    frame[1] = 127
    frame.writeBigUInt64BE(BigInt(size), 2)
  }
  frame.set(start, header)
  return frame
}

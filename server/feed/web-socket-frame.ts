// Encodes WebSocket frames, so that one encoded frame can be written to many sockets.

const OPCODES = { text: 0x1, binary: 0x2 }
const FINAL = 0x80

/** A final, unmasked frame (RFC 6455, section 5.2). */
export function webSocketFrame(kind: keyof typeof OPCODES, payload: Uint8Array): Buffer<ArrayBuffer> {
  const size = payload.length
  const header = size < 126 ? 2 : size < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(header + size)
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
  frame.set(payload, header)
  return frame
}

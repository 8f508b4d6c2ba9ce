// The card that every target gets, about 500 bytes of JSON: text, kv of 3 rows, 2 buttons. Its text begins
// with a stamp of fixed width, the moment of sending, so that a viewer can time a card in the raw bytes of any
// protocol without decoding it.

const stampMark = '~t'
const stampDigits = 15
const noStamp = stampMark + '0'.repeat(stampDigits)

export const statusBlockId = 'state'
const rowsBlockId = 'facts'

const text = {
  type: 'text',
  content: `${noStamp} Deploy of web to production finished: 214 files changed, 3 migrations ran`,
  bold: true,
}
const kv = {
  type: 'kv',
  rows: [
    { key: 'commit', value: '4f1c09ab77e2d1c6a0b95e3d8f6147cc2a9b0e35' },
    { key: 'duration', value: '3 minutes 41 seconds' },
    { key: 'environment', value: 'production, eu-central, 12 instances' },
  ],
}
const buttons = {
  type: 'button',
  buttons: [
    { id: 'rollback', label: 'Roll back', style: 'danger' },
    { id: 'open', label: 'Open the log', style: 'secondary' },
  ],
}

export const cardJson = JSON.stringify({ status: 'success', blocks: [text, kv, buttons] })

/** A card whose badge and rows can be patched. `length`: of a further text. */
export function badgeCard(step: number, length = 0): string {
  const badge = { type: 'badge', id: statusBlockId, label: `step ${step}` }
  const further = length > 0 ? [{ type: 'text', content: 'x'.repeat(length) }] : []
  return JSON.stringify({ blocks: [text, badge, { ...kv, id: rowsBlockId }, buttons, ...further] })
}

const variants = ['default', 'success', 'warning', 'error', 'info', 'pending']

/** The body of a PATCH that changes the badge. */
export function badgePatch(step: number): string {
  const patch = { label: `step ${step}`, variant: variants[step % variants.length] }
  return JSON.stringify({ blocks: [{ id: statusBlockId, patch }] })
}

/** The body of a PATCH that adds a row. */
export function rowPatch(step: number): string {
  const patch = { append_rows: [{ key: `step ${step}`, value: 'done' }] }
  return JSON.stringify({ blocks: [{ id: rowsBlockId, patch }] })
}

/** Microseconds of a clock that all processes of this machine share. */
export function now(): number {
  return Number(process.hrtime.bigint() / 1000n)
}

/** The offset of the stamp's digits in bytes that contain one card. */
export function stampOffset(bytes: Buffer): number {
  return bytes.indexOf(noStamp) + stampMark.length
}

export function writeStamp(bytes: Buffer, offset: number, time: number): void {
  for (let i = stampDigits - 1, rest = time; i >= 0; i--) {
    bytes[offset + i] = 48 + (rest % 10)
    rest = Math.floor(rest / 10)
  }
}

/** The times at which the cards in these bytes were sent. */
export function readStamps(bytes: Buffer): number[] {
  const stamps: number[] = []
  for (let at = bytes.indexOf(stampMark); at >= 0; at = bytes.indexOf(stampMark, at + 1)) {
    const stamp = Number(bytes.toString('latin1', at + stampMark.length, at + stampMark.length + stampDigits))
    if (Number.isInteger(stamp)) stamps.push(stamp)
  }
  return stamps
}

// Tables: aligned columns on a terminal, values between tabs in a pipe.
import type { Output } from './output.ts'
import { displayWidth, fitWidth, printableLine } from './printable.ts'

const GAP = '  '
const DEFAULT_COLUMNS = 80
/** The last column keeps at least this width. */
const LAST_MIN = 20

/**
 * In a pipe without the heads, so that `cut` and `while read` see rows only. On a terminal the last column is cut to the
 * width of the screen; the others stay whole, because people copy ids.
 */
export function printTable(output: Output, heads: string[], rows: string[][]): void {
  if (!process.stdout.isTTY) {
    for (const row of rows) output.line(rowOf(row))
    return
  }
  const cells = rows.map(row => row.map(printableLine))
  const lines = [heads, ...cells]
  const widths = heads.map((_, i) => Math.max(...lines.map(row => displayWidth(row[i] ?? ''))))
  const used = widths.slice(0, -1).reduce((sum, width) => sum + width + GAP.length, 0)
  const left = Math.max(LAST_MIN, (process.stdout.columns || DEFAULT_COLUMNS) - used)
  for (const [i, row] of lines.entries()) {
    const padded = row.slice(0, -1).map((cell, j) => cell + ' '.repeat((widths[j] ?? 0) - displayWidth(cell)))
    const line = [...padded, fitWidth(row.at(-1) ?? '', left)].join(GAP).trimEnd()
    output.line(i === 0 ? output.style('bold', line) : line)
  }
}

/** One line that stands alone. */
export const rowOf = (cells: string[]) => cells.map(printableLine).join(process.stdout.isTTY ? GAP : '\t')

// The rows and columns of the emoji picker, and the keys that move between them.
import { ownValue } from '../../shared/own-value.ts'
import type { Emoji, EmojiGroup } from './emojis.ts'

const COLUMNS = 8
const PAGE_ROWS = 5

export type Cell = { row: number; column: number }
export type GridGroup = { name: string; cells: { emoji: Emoji; cell: Cell }[] }

/** Numbers the rows across groups, so that the arrow keys lead from one group to the next. */
export function toGrid(groups: EmojiGroup[]): GridGroup[] {
  let rows = 0
  return groups.map(({ name, emojis }) => {
    const first = rows
    rows += Math.ceil(emojis.length / COLUMNS)
    const cellOf = (i: number) => ({ row: first + Math.floor(i / COLUMNS), column: i % COLUMNS })
    return { name, cells: emojis.map((emoji, i) => ({ emoji, cell: cellOf(i) })) }
  })
}

export function widthsOf(groups: GridGroup[]): number[] {
  const widths: number[] = []
  for (const { cells } of groups) for (const { cell } of cells) widths[cell.row] = cell.column + 1
  return widths
}

export function nextCell(key: string, { row, column }: Cell, widths: number[]): Cell | undefined {
  const isLast = column + 1 >= (widths[row] ?? 0)
  const moves: Record<string, Cell> = {
    ArrowDown: { row: row + 1, column },
    ArrowUp: { row: row - 1, column },
    ArrowRight: isLast ? { row: row + 1, column: 0 } : { row, column: column + 1 },
    ArrowLeft: column > 0 || row === 0 ? { row, column: column - 1 } : { row: row - 1, column: COLUMNS },
    Home: { row, column: 0 },
    End: { row, column: COLUMNS },
    PageDown: { row: row + PAGE_ROWS, column },
    PageUp: { row: row - PAGE_ROWS, column },
  }
  const to = ownValue(moves, key)
  if (!to) return undefined
  const inside = Math.max(0, Math.min(widths.length - 1, to.row))
  return { row: inside, column: Math.max(0, Math.min((widths[inside] ?? 1) - 1, to.column)) }
}

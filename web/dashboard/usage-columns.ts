// The geometry of the usage charts: a plot is 100 units high and one unit wide per day.
import type { UsageDay } from '../../shared/usage.ts'

export type Count = Exclude<keyof UsageDay, 'day'>
type Part = { y: number; height: number }

/** Keeps a single event visible next to thousands. */
const HEIGHT_MIN = 2

export const totalOf = (days: UsageDay[], count: Count) => sum(days.map(day => day[count]))

/** The smallest round number that no day's sum of `counts` exceeds. */
export function scaleTop(days: UsageDay[], counts: Count[]): number {
  const most = Math.max(1, ...days.map(day => sum(counts.map(count => day[count]))))
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 3, 4, 5, 6, 8].find(step => step * power >= most) ?? 10) * power
}

/** The parts of each day's column, in the order of `counts` from the bottom up. */
export function columnsOf(days: UsageDay[], counts: Count[], top: number): Part[][] {
  return days.map(day => {
    const heights = counts.map(count => day[count] && Math.max(HEIGHT_MIN, (day[count] / top) * 100))
    // Minimum heights could push a column above the plot.
    const scale = Math.min(1, 100 / Math.max(1, sum(heights)))
    let y = 100
    return heights.map(full => {
      const height = full * scale
      y -= height
      return { y, height }
    })
  })
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

// The geometry of the usage charts: pure. A plot is 100 high, and as wide as it has days.
import type { UsageDay } from '../../shared/usage.ts'

/** What is counted of a day. */
export type Count = Exclude<keyof UsageDay, 'day'>
export type Part = { y: number; height: number }

/** What is there is seen, however little it is beside the rest. */
const HEIGHT_MIN = 2

export function totalOf(days: UsageDay[], count: Count): number {
  return days.reduce((sum, day) => sum + day[count], 0)
}

/** The top of the scale: a round number that no day's sum of `counts` is above. */
export function highest(days: UsageDay[], counts: Count[]): number {
  const most = Math.max(1, ...days.map(day => sumOf(day, counts)))
  const power = 10 ** Math.floor(Math.log10(most))
  return ([1, 2, 3, 4, 5, 6, 8].find(step => step * power >= most) ?? 10) * power
}

/** For each day a part for each of `counts`, the first at the bottom. */
export function columnsOf(days: UsageDay[], counts: Count[], top: number): Part[][] {
  return days.map(day => {
    const heights = counts.map(count => heightOf(day[count], top))
    // The least heights must not lift a column out of the plot.
    const scale = Math.min(1, 100 / Math.max(1, sum(heights)))
    let y = 100
    return heights.map(full => {
      const height = full * scale
      y -= height
      return { y, height }
    })
  })
}

function heightOf(value: number, top: number): number {
  return value === 0 ? 0 : Math.max(HEIGHT_MIN, (value / top) * 100)
}

const sumOf = (day: UsageDay, counts: Count[]) => sum(counts.map(count => day[count]))
const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)

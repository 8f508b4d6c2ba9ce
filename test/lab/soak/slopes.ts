// Checker 7: does a series rise with time? A straight line through means of equal windows, with a 95 % interval by
// Student's t. Pure.

/** `at` in microseconds. */
export type Point = { at: number; value: number }

/** A change per day, and the ends of its 95 % interval. `windows`: how many means the line goes through. */
export type Slope = { per_day: number; low: number; high: number; windows: number; mean: number }

/** `pass`: the whole interval is at or below the limit. `fail`: all of it is above. */
export type Verdict = 'pass' | 'fail' | 'inconclusive'

const DAY_US = 24 * 3600 * 1e6
/** Fewer means leave an interval that no leak of a usual size stands out of. */
const WINDOWS_MIN = 5

/** Null if there are too few windows. Neighbouring samples resemble each other; means of windows hardly do. */
export function slopeOf(points: Point[], window_us: number): Slope | null {
  const means = meansOf(points, window_us)
  if (means.length < WINDOWS_MIN) return null
  const [time, mean] = [average(means.map(({ at }) => at)), average(means.map(({ value }) => value))]
  const spread = sum(means.map(({ at }) => (at - time) ** 2))
  const rise = sum(means.map(({ at, value }) => (at - time) * (value - mean))) / spread
  const freedom = means.length - 2
  const rest = sum(means.map(({ at, value }) => (value - mean - rise * (at - time)) ** 2))
  const margin = studentsT(freedom) * Math.sqrt(rest / freedom / spread)
  const [per_day, around] = [rise * DAY_US, margin * DAY_US]
  return { per_day, low: per_day - around, high: per_day + around, windows: means.length, mean }
}

export function judge(slope: Slope | null, limit_per_day: number): Verdict {
  if (!slope) return 'inconclusive'
  if (slope.high <= limit_per_day) return 'pass'
  return slope.low > limit_per_day ? 'fail' : 'inconclusive'
}

function meansOf(points: Point[], window_us: number): Point[] {
  const begin = Math.min(...points.map(({ at }) => at))
  const windows = new Map<number, Point[]>()
  for (const point of points) {
    const window = Math.floor((point.at - begin) / window_us)
    windows.set(window, [...(windows.get(window) ?? []), point])
  }
  return [...windows.values()].map(points => ({
    at: average(points.map(({ at }) => at)),
    value: average(points.map(({ value }) => value)),
  }))
}

const SMALL = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228]

/** The 97.5 % quantile of Student's t: exact up to ten degrees of freedom, then a series with an error below 0.001. */
export function studentsT(freedom: number): number {
  const exact = SMALL[freedom - 1]
  if (exact !== undefined) return exact
  const z = 1.959964
  const first = (z ** 3 + z) / 4
  const second = (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96
  const third = (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384
  return z + first / freedom + second / freedom ** 2 + third / freedom ** 3
}

const sum = (values: number[]) => values.reduce((total, value) => total + value, 0)
const average = (values: number[]) => sum(values) / values.length

/** In milliseconds: `40m`, `2h` or `90s`. */
export function parseDuration(text: string): number {
  const [, count, unit = ''] = /^(\d+)([smh])$/.exec(text) ?? []
  const seconds = { s: 1, m: 60, h: 3600 }[unit]
  if (seconds === undefined) throw new RangeError(`${text} is no duration such as 40m`)
  return Number(count) * seconds * 1000
}

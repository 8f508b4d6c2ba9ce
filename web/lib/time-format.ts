/** The hour has two digits, as clocks show it, except in languages that count to twelve. */
export function makeTimeFormat(
  languages: string[],
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat {
  const format = new Intl.DateTimeFormat(languages, { ...options, hour: 'numeric' })
  if (format.resolvedOptions().hour12) return format
  return new Intl.DateTimeFormat(languages, { ...options, hour: '2-digit' })
}

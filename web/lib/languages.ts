// The viewer's languages, the preferred one first, for times and numbers.

/** Leaves out invalid names, which some systems have (`en-US@posix`). If empty, `Intl` uses the browser's default. */
export function viewerLanguages(): string[] {
  return navigator.languages.filter(name => {
    try {
      return Intl.getCanonicalLocales(name).length === 1
    } catch {
      return false
    }
  })
}

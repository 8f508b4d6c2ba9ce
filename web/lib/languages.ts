// The viewer's languages, the preferred one first, for times and numbers.

/** Skips invalid names, which some systems have (`en-US@posix`). With an empty list, `Intl` uses the default. */
export function viewerLanguages(): string[] {
  return navigator.languages.filter(name => {
    try {
      return Intl.getCanonicalLocales(name).length === 1
    } catch {
      return false
    }
  })
}

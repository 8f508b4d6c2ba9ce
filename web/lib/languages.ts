// The viewer's languages, in the order of their choice: times and numbers are told in them.

/** Some systems name one that is none (`en-US@posix`): those are left out. Empty: the browser's own choice. */
export function viewerLanguages(): string[] {
  return navigator.languages.filter(isLanguage)
}

function isLanguage(name: string): boolean {
  try {
    return Intl.getCanonicalLocales(name).length === 1
  } catch {
    return false
  }
}

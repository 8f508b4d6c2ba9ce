// The page to return to after signing in, which is never on another site.

/** `candidate` if it is a path of this app, or else `/`. */
export function returnPath(candidate: string | string[] | undefined): string {
  if (typeof candidate !== 'string' || !candidate.startsWith('/')) return '/'
  const here = 'http://here.invalid'
  if (!URL.canParse(candidate, here)) return '/'
  const url = new URL(candidate, here)
  // Two slashes at the start would name another host. Removing `.` and `..` can leave them there.
  if (url.origin !== here || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

/** The path of the sign-in page that returns to `from`. From a sign-in or sign-up page, the return path stays the same. */
export function signInPath(from: string): string {
  const signing = /^\/sign-(?:in|up)(\?.*)?$/.exec(from)
  if (signing) return `/sign-in${signing[1] ?? ''}`
  return from === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(from)}`
}

/** The path of the sign-up page that returns to `from`. */
export const signUpPath = (from: string) => `/sign-up?return=${encodeURIComponent(from)}`

// The page to return to after signing in: always a path of this app, never another site.

/** The path in `candidate`, or `/` if it isn't a path of this app. */
export function returnPath(candidate: string | string[] | undefined): string {
  if (typeof candidate !== 'string' || !candidate.startsWith('/')) return '/'
  const here = 'http://here.invalid'
  if (!URL.canParse(candidate, here)) return '/'
  const url = new URL(candidate, here)
  // Two slashes at the start would name another host. Removing `.` and `..` can leave them there.
  if (url.origin !== here || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

/** The sign-in page that returns to `from`. The sign-in and sign-up pages pass on the return path that they have. */
export function signInPath(from: string): string {
  const signing = /^\/sign-(?:in|up)(\?.*)?$/.exec(from)
  if (signing) return `/sign-in${signing[1] ?? ''}`
  return from === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(from)}`
}

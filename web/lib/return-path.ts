// Where one goes back to after signing in: a path of this app, never another site.

/** The path in `candidate`, or `/` where it is none of ours. */
export function returnPath(candidate: string | string[] | undefined): string {
  if (typeof candidate !== 'string' || !candidate.startsWith('/')) return '/'
  const here = 'http://here.invalid'
  if (!URL.canParse(candidate, here)) return '/'
  const url = new URL(candidate, here)
  // Two slashes at the start would name another host. They may be left over where `.` and `..` went.
  if (url.origin !== here || url.pathname.startsWith('//')) return '/'
  return url.pathname + url.search + url.hash
}

/** From the pages of signing in and up, one goes back to where one came from before. */
export function signInPath(from: string): string {
  const [wayIn, search = ''] = /^\/sign-(?:in|up)(\?.*)?$/.exec(from) ?? []
  if (wayIn !== undefined) return `/sign-in${search}`
  return from === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(from)}`
}

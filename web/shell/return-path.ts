// Where one goes back to after signing in: a path of this app, never another site.

/** The path in `candidate`, or `/` where it is none of ours. */
export function returnPath(candidate: string | string[] | undefined): string {
  if (typeof candidate !== 'string' || !candidate.startsWith('/')) return '/'
  const here = 'http://here.invalid'
  if (!URL.canParse(candidate, here)) return '/'
  const url = new URL(candidate, here)
  return url.origin === here ? url.pathname + url.search + url.hash : '/'
}

export function signInPath(from: string): string {
  return from === '/' ? '/sign-in' : `/sign-in?return=${encodeURIComponent(from)}`
}

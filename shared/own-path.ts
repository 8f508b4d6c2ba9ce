// Paths that come from outside, such as the page to return to after signing in. They never lead to another site.

const HERE = 'http://here.invalid'

/** The path with its query and fragment in ASCII, or null if `candidate` isn't a path of this service. */
export function ownPath(candidate: string): string | null {
  if (!candidate.startsWith('/') || !URL.canParse(candidate, HERE)) return null
  const url = new URL(candidate, HERE)
  // Two slashes at the start would name another host. Removing `.` and `..` can leave them there.
  if (url.origin !== HERE || url.pathname.startsWith('//')) return null
  return url.pathname + url.search + url.hash
}

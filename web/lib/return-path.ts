// The page to return to after signing in, which is never on another site.
import { ownPath } from '../../shared/own-path.ts'

/** `candidate` if it is a path of this app, or else `/`. */
export const returnPath = (candidate: string | string[] | undefined): string =>
  (typeof candidate === 'string' && ownPath(candidate)) || '/'

/** The path of the sign-in page that returns to `from`. From a sign-in or sign-up page, the return path stays the same. */
export function signInPath(from: string): string {
  const signing = /^\/sign-(?:in|up)(\?.*)?$/.exec(from)
  if (signing) return `/sign-in${signing[1] ?? ''}`
  return entryPath('/sign-in', from)
}

/** The path of a page before the session, which returns to `back`. */
export const entryPath = (page: '/sign-in' | '/sign-up', back: string) =>
  back === '/' ? page : `${page}?return=${encodeURIComponent(back)}`

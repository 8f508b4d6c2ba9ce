// A session of a dashboard user, as its user sees it. Its token is nowhere in it.

export type ListedSession = {
  id: string
  /** The one that asks. */
  current: boolean
  /** The browser's own words, as it signed in. */
  user_agent: string | null
  created_at: string
  /** To the hour. */
  last_used_at: string
  /** Unless it is used again before. */
  expires_at: string
}

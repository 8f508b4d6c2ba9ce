// What a request may end with besides its response.

/** The server's refusal: its status and its own words; for a password the workspace that asks for it; if it said so, when to try again. */
export class Refused extends Error {
  status: number
  workspace_id: string | undefined
  /** What `Retry-After` asks for; undefined without it. */
  retry_after_ms: number | undefined

  constructor(status: number, message: string, workspace_id?: string, retry_after_ms?: number) {
    super(message)
    this.name = 'Refused'
    this.status = status
    this.workspace_id = workspace_id
    this.retry_after_ms = retry_after_ms
  }
}

/** No answer, or one that says to come back later: what was asked may well be allowed. */
export class Unreachable extends Error {
  constructor() {
    super('The server cannot be reached. Check your connection.')
    this.name = 'Unreachable'
  }
}

/** The session is gone, where one was needed: the server has one word for it. */
export const isSessionEnd = ({ status, message }: Refused) => status === 401 && message === 'Unauthorized'

/** A refusal as a person reads it. */
export function refusalWords(refusal: Refused): string {
  if (!isSessionEnd(refusal)) return refusal.message
  return 'Your session has ended. Sign in again, in another tab if you like.'
}

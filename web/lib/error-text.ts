// Errors of the client as a person reads them.
import type { ChannelFeedError } from '../../client/errors.ts'

/** A request needed a session, and it has ended. A missing or wrong password has other words. */
export const isSessionEnd = ({ status, message }: ChannelFeedError) =>
  status === 401 && message === 'Unauthorized'

export function errorText(error: ChannelFeedError): string {
  if (!isSessionEnd(error)) return error.message
  return 'Your session has ended. Sign in again, in another tab if you like.'
}

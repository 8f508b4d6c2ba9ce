// The text of a client error for the user.
import type { ChannelFeedError } from '../../client/errors.ts'

/** Wrong passwords also get status 401, but another message. */
export const isSessionEnd = ({ status, message }: ChannelFeedError) =>
  status === 401 && message === 'Unauthorized'

export function errorText(error: ChannelFeedError): string {
  return isSessionEnd(error)
    ? 'Your session has ended. Sign in again, in another tab if you like.'
    : error.message
}

// The text of a client error for people. The server's messages are written for scripts.
import type { ChannelFeedError } from '../../client/errors.ts'

/** What people read instead of the server's message. */
const WORDS: Record<string, string> = {
  'Cannot delete the last workspace': 'You can’t delete your only workspace.',
  'Invalid email or password': 'That e-mail and password don’t match. Try again.',
  'Invalid password': 'That password isn’t right. Try again.',
  'Channel has no webhook_url': 'This channel has no webhook. Save a URL in its settings first.',
  'Workspace limit reached': 'You have reached your limit of workspaces. Delete one first.',
  'API key limit reached': 'You have reached your limit of API keys. Delete one first.',
  'Service unavailable': 'The server is busy. Try again in a moment.',
  'Internal server error': 'Something went wrong on the server. Try again.',
}

/** Wrong passwords also get status 401, but another message. */
export const isSessionEnd = ({ status, message }: ChannelFeedError) =>
  status === 401 && message === 'Unauthorized'

export function errorText(error: ChannelFeedError): string {
  if (isSessionEnd(error)) return 'Your session has ended. Sign in again, in another tab if you like.'
  return Object.hasOwn(WORDS, error.message) ? (WORDS[error.message] ?? error.message) : error.message
}

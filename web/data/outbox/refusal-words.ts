// What the server's reason for a refusal, or a delivery's error, means to the person who acted. Pure.

const REFUSALS: Record<string, string> = {
  'Button not found': 'This button is no longer there',
  'Action not found': 'This button is no longer there',
  'Block not found': 'This field is no longer there',
  'Card not found': 'This card was deleted',
  'Channel not found': 'This channel was deleted',
  'Button is disabled': 'This button is disabled now',
  'Channel is not interactive': 'This channel is view only now',
  'Access denied': 'You can’t act in this channel',
  'Request body too large': 'This is too long to send',
}
export function refusalWords(reason: string): string {
  const words = REFUSALS[reason]
  if (words !== undefined) return words
  // The server's messages about a field: its label, and the rule.
  const isRule =
    !reason.startsWith('trigger') && (reason.endsWith(' is required') || reason.includes(' must '))
  return isRule ? `Not sent: ${reason}` : 'Not accepted. Reload the page and try again'
}

const DELIVERY_ERRORS: Record<string, string> = {
  timeout: 'the webhook did not answer in time',
  'redirect not followed': 'the webhook redirects to another address',
  'blocked address': 'the webhook’s address is not allowed',
  // Why it wasn't sent again.
  'The server can’t be reached. Check your connection.': 'the server can’t be reached. Check your connection',
  'Channel has no webhook_url': 'the channel no longer has a webhook',
}
const UNREACHED = /^(refused|unreachable|unknown host|lookup|connection closed early|could not be sent)/

export function deliveryProblem(error: string): string {
  if (error.startsWith('status ')) return `the webhook answered ${error.slice('status '.length)}`
  if (error.startsWith('bad certificate')) return 'the webhook’s certificate is not valid'
  if (UNREACHED.test(error)) return 'the webhook couldn’t be reached'
  return DELIVERY_ERRORS[error] ?? 'try again later'
}

// What people read instead of the server's own messages.
import { expect, test } from 'vitest'
import { deliveryProblem, refusalWords } from '../../web/data/outbox/refusal-words.ts'

test.each([
  ['Button not found', 'This button is no longer there'],
  ['Card not found', 'This card was deleted'],
  ['Change ticket is required', 'Not sent: Change ticket is required'],
  ['Ticket must be at most 5 characters', 'Not sent: Ticket must be at most 5 characters'],
  ['trigger.type must be one of a, b', 'Not accepted. Reload the page and try again'],
  ['Internal server error', 'Not accepted. Reload the page and try again'],
])('the refusal “%s” reads “%s”', (reason, words) => {
  expect(refusalWords(reason)).toBe(words)
})

test.each([
  ['status 502', 'the webhook answered 502'],
  ['timeout', 'the webhook did not answer in time'],
  ['bad certificate (CERT_HAS_EXPIRED)', 'the webhook’s certificate is not valid'],
  ['connection closed early', 'the webhook couldn’t be reached'],
  ['could not be sent (EPROTO)', 'the webhook couldn’t be reached'],
  [
    'The server can’t be reached. Check your connection.',
    'the server can’t be reached. Check your connection',
  ],
  ['Channel has no webhook_url', 'the channel no longer has a webhook'],
  ['Too many redeliveries', 'try again later'],
])('the delivery error “%s” reads “%s”', (error, words) => {
  expect(deliveryProblem(error)).toBe(words)
})

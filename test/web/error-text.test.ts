// What people read instead of the server's own messages.
import { describe, expect, test } from 'vitest'
import { DELIVERY_ERRORS, deliveryError } from '../../shared/delivery-errors.ts'
import { ERRORS } from '../../shared/error-codes.ts'
import { deliveryWords, redeliveryWords, refusalWords } from '../../web/data/outbox/refusal-words.ts'
import { errorText } from '../../web/lib/error-text.ts'

describe('the text of an error', () => {
  test('the text of an error depends on the code, not on the message', () => {
    const message = 'some words of the server'
    expect(errorText({ code: 'last_workspace', message })).toBe('You can’t delete your only workspace.')
  })

  test('the text of an error names the field by its label', () => {
    const failure = { code: 'name_required', field: 'name', message: 'name is required' }
    expect(errorText(failure, 'Workspace name')).toBe('Workspace name is required')
    expect(errorText(failure)).toBe('name is required')
  })

  test('the text of an error has the rule of the message', () => {
    const message = '$& of a must be a $1'
    const failure = { code: 'field_invalid', field: '$& of a', message }
    expect(errorText(failure)).toBe(message)
    expect(errorText(failure, '$& {rule}')).toBe('$& {rule} must be a $1')
  })

  test('the text of an error is the message if the path of the field was too long', () => {
    expect(errorText({ code: 'field_required', message: 'x is required' })).toBe('x is required')
  })

  test('the text of an error is the message without a code, or with one of a later version', () => {
    for (const code of [undefined, 'of_a_later_version', 'constructor'])
      expect(errorText({ code, message: 'why' })).toBe('why')
    expect(errorText({ code: 'of_a_later_version', field: 'a', message: 'a is odd' }, 'A')).toBe('A is odd')
  })

  test.each([
    [undefined, 'a minute'],
    [20, 'a minute'],
    [61, '2 minutes'],
    [3_600, '60 minutes'],
    [3_601, '2 hours'],
  ])('the text of an error says how long to wait: %s s is %s', (retry_after, words) => {
    const failure = { code: 'too_many_attempts', message: 'Too many failed attempts', retry_after }
    expect(errorText(failure)).toBe(`Too many failed attempts. Try again in ${words}.`)
  })

  test('the text of an error has no placeholder left', () => {
    for (const code of Object.keys(ERRORS))
      expect(errorText({ code, field: 'a', message: 'a b' })).not.toMatch(/[{}]/)
  })
})

test.each([
  [{ code: 'button_not_found' }, 'This button is no longer there'],
  [{ code: 'card_not_found' }, 'This card was deleted'],
  [
    { code: 'field_required', field: 'Change ticket', message: 'Change ticket is required' },
    'Not sent: Change ticket is required',
  ],
  [
    { code: 'field_invalid', field: 'Ticket', message: 'Ticket must be at most 5 characters' },
    'Not sent: Ticket must be at most 5 characters',
  ],
  [{ code: 'card_changed' }, 'The card changed while you decided. Look again, then choose'],
  [
    { code: 'field_invalid', field: 'trigger.type', message: 'trigger.type must be one of a, b' },
    'Not accepted. Reload the page and try again',
  ],
  [{}, 'Not accepted. Reload the page and try again'],
])('the refusal %j reads “%s”', (failure, words) => {
  expect(refusalWords({ message: 'why', ...failure })).toBe(words)
})

test.each([
  ['status 502', 'the webhook answered 502'],
  ['timeout', 'the webhook did not answer in time'],
  ['bad certificate (CERT_HAS_EXPIRED)', 'the webhook’s certificate is not valid'],
  ['connection closed early', 'the webhook couldn’t be reached'],
  ['could not be sent (EPROTO)', 'the webhook couldn’t be reached'],
  ['words of a later version', 'try again later'],
])('the delivery error “%s” reads “%s”', (error, words) => {
  expect(deliveryWords(error)).toBe(words)
})

test('every delivery error is recognised by its words', () => {
  for (const [code, words] of Object.entries(DELIVERY_ERRORS))
    expect(deliveryError(`${words} details`)).toEqual({ code, details: 'details' })
})

test('a redelivery that failed continues the sentence', () => {
  const message = 'The server can’t be reached. Check your connection.'
  expect(redeliveryWords({ message })).toBe('the server can’t be reached. Check your connection')
  expect(redeliveryWords({ code: 'no_webhook', message })).toBe(
    'this channel has no webhook. Save a URL in its settings first',
  )
})

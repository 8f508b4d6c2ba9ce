// What an error means to the person who acted. Pure.
import { type DeliveryErrorCode, deliveryError } from '../../../shared/delivery-errors.ts'
import { errorText, type Failure, textByCode } from '../../lib/error-text.ts'

/** Why the server didn't accept an interaction. */
export function refusalWords(failure: Failure): string {
  if (failure.code === 'access_denied') return 'You no longer have access'
  const words = textByCode(failure)
  // A path of the API means nothing to a viewer, unlike the label of a field.
  if (words === null || failure.field?.startsWith('trigger'))
    return 'Not accepted. Reload the page and try again'
  const isRule = failure.code === 'field_required' || failure.code === 'field_invalid'
  return isRule ? `Not sent: ${words}` : withoutStop(words)
}

const withoutStop = (words: string) => words.replace(/\.$/, '')

const UNREACHED = 'the webhook couldn’t be reached'

/** `{details}`: such as the status. */
const DELIVERY_WORDS: Record<DeliveryErrorCode, string> = {
  timeout: 'the webhook did not answer in time',
  refused: UNREACHED,
  unreachable: UNREACHED,
  unknown_host: UNREACHED,
  lookup: UNREACHED,
  closed_early: UNREACHED,
  not_sent: UNREACHED,
  blocked_address: 'the webhook’s address is not allowed',
  bad_certificate: 'the webhook’s certificate is not valid',
  not_http: 'the webhook’s answer can’t be read',
  interim_responses: 'the webhook’s answer can’t be read',
  redirect: 'the webhook redirects to another address',
  status: 'the webhook answered {details}',
  interrupted: 'try again later',
}

/** Why the webhook didn't receive an interaction. `error`: of the delivery. */
export function deliveryWords(error: string): string {
  const known = deliveryError(error)
  return known ? DELIVERY_WORDS[known.code].replace('{details}', () => known.details) : 'try again later'
}

/** Why the server didn't send it again. It continues a sentence. */
export function redeliveryWords(failure: Failure): string {
  const words = withoutStop(errorText(failure))
  return words.charAt(0).toLowerCase() + words.slice(1)
}

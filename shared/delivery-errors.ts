// Why deliveries fail: the codes, and the words by which the log tells them.

/** Some words are followed by details: `status 500`, `bad certificate (CERT_HAS_EXPIRED)`. */
export const DELIVERY_ERRORS = {
  timeout: 'timeout',
  refused: 'refused',
  unreachable: 'unreachable',
  unknown_host: 'unknown host',
  lookup: 'lookup',
  blocked_address: 'blocked address',
  closed_early: 'connection closed early',
  bad_certificate: 'bad certificate',
  not_http: 'not an HTTP response',
  interim_responses: 'too many interim responses',
  not_sent: 'could not be sent',
  redirect: 'redirect not followed',
  status: 'status',
  interrupted: 'interrupted: the service stopped while it was sent',
} as const

export type DeliveryErrorCode = keyof typeof DELIVERY_ERRORS

/** `error`: as the log has it. Null for the words of a later version. */
export function deliveryError(error: string): { code: DeliveryErrorCode; details: string } | null {
  for (const [code, words] of Object.entries(DELIVERY_ERRORS))
    if (isCode(code) && error.startsWith(words)) return { code, details: error.slice(words.length).trim() }
  return null
}

const isCode = (code: string): code is DeliveryErrorCode => Object.hasOwn(DELIVERY_ERRORS, code)

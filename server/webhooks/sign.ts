// Signs a delivery as Standard Webhooks 1.0.0 requires: HMAC-SHA256 over `id.timestamp.body` with each valid secret.
import { createHmac } from 'node:crypto'

/** `timestamp`: when the delivery is sent, in whole seconds since 1970. */
export function signatureHeaders(id: string, timestamp: number, body: string, secrets: string[]) {
  const signatures = secrets.map(secret => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}

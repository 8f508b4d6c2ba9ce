// Checks that a webhook request comes from Channel Feed, and reads it: `channel-feed/webhook`.
import { Webhook } from 'standardwebhooks'
import type { z } from 'zod'
import type { webhookRequest } from '../shared/interaction.ts'

export type WebhookBody = z.output<typeof webhookRequest>

/** `body`: the bytes as they arrived. Parsed JSON that is written again may differ. */
export type ReceivedRequest = {
  headers: Headers | Record<string, string | string[] | undefined>
  body: string | Uint8Array | ArrayBuffer
}

/** The request isn't signed with any of the secrets, or is more than five minutes old. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
}

/** `secrets`: one, or also the one before while it is being replaced. Throws `WebhookVerificationError`. */
export async function verifyWebhook(
  request: Request | ReceivedRequest,
  secrets: string | readonly string[],
): Promise<WebhookBody> {
  const headers = plainHeaders(request.headers)
  const text = textOf('arrayBuffer' in request ? await request.arrayBuffer() : request.body)
  let problem = 'no secret is given'
  for (const secret of [secrets].flat()) {
    const webhook = new Webhook(secret)
    try {
      webhook.verify(text, headers, { jsonParse: false })
    } catch (error) {
      problem = error instanceof Error ? error.message : problem
      continue
    }
    return JSON.parse(text)
  }
  throw new WebhookVerificationError(problem)
}

function plainHeaders(headers: ReceivedRequest['headers']): Record<string, string> {
  const entries: [string, string | string[] | undefined][] =
    headers instanceof Headers ? [...headers] : Object.entries(headers)
  return Object.fromEntries(entries.map(([name, value]) => [name, `${value ?? ''}`]))
}

/** Throws if the bytes aren't UTF-8: other text would be checked than was sent. */
function textOf(body: ReceivedRequest['body']): string {
  if (typeof body === 'string') return body
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw new WebhookVerificationError('The body is not UTF-8')
  }
}

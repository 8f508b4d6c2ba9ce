// One HTTP request on its own connection, so that a stale connection causes no error.
import { request } from 'node:http'

/** Whatever happens, an operation takes no longer. */
const OPERATION_MS = 20_000

export type Answer = {
  status: number
  body: unknown
  replayed: boolean
  etag?: string
  retry_after?: string
}

/** A 5xx is unknown, and a 409 without a code says that another try of the same write is under way. */
export const isKnown = (answer: Answer | null): answer is Answer =>
  answer !== null && answer.status < 500 && (answer.status !== 409 || hasCode(answer.body))

const hasCode = (body: unknown) => typeof body === 'object' && body !== null && 'code' in body

/** `error`: no complete answer was read, so the request may have taken effect. */
export type Result = { answer: Answer; error: null } | { answer: null; error: string }

/** `signal`: cuts the request. */
type SendOptions = { headers?: Record<string, string>; body?: unknown; signal?: AbortSignal | undefined }

export function send(
  method: string,
  url: string,
  { headers = {}, body, signal }: SendOptions = {},
): Promise<Result> {
  const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
  return new Promise(resolve => {
    const fail = (error: NodeJS.ErrnoException) =>
      resolve({ answer: null, error: error.code ?? error.message })
    const sent = request(
      url,
      { method, headers: { ...headers, ...type }, agent: false, signal },
      response => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', fail)
        response.on('end', () => {
          if (!response.complete) return fail(new Error('cut'))
          const text = Buffer.concat(chunks).toString()
          const { etag, 'retry-after': retry_after } = response.headers
          const answer = {
            status: response.statusCode ?? 0,
            body: text === '' ? null : JSON.parse(text),
            replayed: response.headers['idempotent-replayed'] === 'true',
            ...(etag !== undefined && { etag }),
            ...(retry_after !== undefined && { retry_after }),
          }
          resolve({ answer, error: null })
        })
      },
    )
    const timer = setTimeout(() => sent.destroy(new Error(`no answer in ${OPERATION_MS} ms`)), OPERATION_MS)
    sent.on('close', () => clearTimeout(timer))
    sent.on('error', fail)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })
}

// Sends one webhook delivery: no redirects, ten seconds until the response's head, at most 64 KiB of its body.
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { TLSSocket } from 'node:tls'
import { type ClaimedDelivery, type DeliveryResult, INTERRUPTED } from '../model/delivery-queue.ts'
import {
  BlockedAddress,
  guardedLookup,
  isReachable,
  type PrivateNetworks,
  type Resolve,
} from './address-guard.ts'
import { signatureHeaders } from './sign.ts'

const HEAD_TIMEOUT_MS = 10_000
/** The log is the only reader of the response's body, so a slow or long body is cut off. */
const BODY_TIMEOUT_MS = 2_000
const BODY_MAX_BYTES = 64 * 1024
/** An endless stream of interim responses (1xx) would keep the service busy. */
const INTERIM_MAX = 10

export type DeliverOptions = {
  private_networks: PrivateNetworks
  head_timeout_ms?: number | undefined
  body_timeout_ms?: number
  signal?: AbortSignal
  resolve?: Resolve
  /** Called when the connection is open. Nothing is sent unless it returns true. */
  markSent?: () => Promise<boolean>
}

/** Never rejects. Returns null if nothing was sent for a reason on our side. */
export async function deliver(
  delivery: Pick<ClaimedDelivery, 'url' | 'body' | 'interaction_id' | 'secrets'>,
  options: DeliverOptions,
): Promise<DeliveryResult | null> {
  const { url, body, interaction_id, secrets } = delivery
  const { head_timeout_ms = HEAD_TIMEOUT_MS, body_timeout_ms = BODY_TIMEOUT_MS, signal } = options
  const began = performance.now()
  const request_headers: Record<string, string> = {
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    'User-Agent': 'Channel-Feed/1',
    ...signatureHeaders(interaction_id, Math.floor(Date.now() / 1000), body, secrets),
  }
  const resultOf = (result: Partial<DeliveryResult>): DeliveryResult => ({
    status: 'failed',
    response_code: null,
    response_headers: null,
    response_body: null,
    error: null,
    request_headers,
    duration_ms: Math.round(performance.now() - began),
    ...result,
  })
  let marked = options.markSent === undefined
  const mark = async () => {
    if (options.markSent && !(await options.markSent().catch(() => false))) throw new Failure(NOT_MARKED)
    marked = true
  }
  let request: ClientRequest | null = null
  try {
    request = open(new URL(url), request_headers, options)
    const response = await exchange(request, body, mark, head_timeout_ms, signal)
    const duration_ms = Math.round(performance.now() - began)
    const code = response.statusCode ?? 0
    const ok = code >= 200 && code < 300
    return resultOf({
      status: ok ? 'success' : 'failed',
      response_code: code,
      response_headers: Object.fromEntries(
        Object.entries(response.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
      ),
      response_body: await readBody(response, body_timeout_ms),
      error: ok ? null : code >= 300 && code < 400 ? 'redirect not followed' : `status ${code}`,
      duration_ms,
    })
  } catch (error) {
    const reason = reasonOf(error)
    if (reason === NOT_MARKED || (reason === INTERRUPTED && !marked)) return null
    return resultOf({ error: reason })
  } finally {
    request?.destroy()
  }
}

/** This side ends the delivery. The log shows the message. */
class Failure extends Error {}

const NOT_MARKED = 'not marked as sent'

function open(url: URL, headers: Record<string, string>, { private_networks, resolve }: DeliverOptions) {
  const literal = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0 && !isReachable(literal, private_networks)) throw new BlockedAddress(literal)
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const lookup = guardedLookup(private_networks, resolve)
  return send(url, { method: 'POST', headers, agent: false, lookup })
}

function exchange(
  request: ClientRequest,
  body: string,
  mark: () => Promise<void>,
  timeout_ms: number,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  let cleanUp = () => {}
  return new Promise<IncomingMessage>((resolve, reject) => {
    const fail = (reason: string) => reject(new Failure(reason))
    const timer = setTimeout(fail, timeout_ms, 'timeout')
    const interrupt = () => fail(INTERRUPTED)
    signal?.addEventListener('abort', interrupt)
    if (signal?.aborted) interrupt()
    cleanUp = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', interrupt)
    }
    request.once('response', resolve)
    request.on('error', reject)
    let interim = 0
    request.on('information', () => {
      if (++interim > INTERIM_MAX) fail('too many interim responses')
    })
    request.once('socket', socket => {
      const connected = socket instanceof TLSSocket ? 'secureConnect' : 'connect'
      socket.once(connected, () => mark().then(() => request.end(body), reject))
    })
  }).finally(() => cleanUp())
}

async function readBody(response: IncomingMessage, timeout_ms: number): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, timeout_ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    response.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      size += chunk.length
      if (size >= BODY_MAX_BYTES) end()
    })
    for (const event of ['end', 'error', 'close']) response.on(event, end)
  })
  // PostgreSQL's text can't hold NUL.
  return Buffer.concat(chunks).subarray(0, BODY_MAX_BYTES).toString('utf8').replaceAll('\0', '\uFFFD')
}

const REASONS: Record<string, string> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'connection closed early',
  EPIPE: 'connection closed early',
  ENOTFOUND: 'unknown host',
  EAI_AGAIN: 'unknown host',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
}

function reasonOf(error: unknown): string {
  if (error instanceof Failure) return error.message
  if (error instanceof BlockedAddress) return 'blocked address'
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/CERT|SELF_SIGNED|VERIFY_/.test(code)) return `bad certificate (${code})`
  if (code.startsWith('HPE_')) return `not an HTTP response (${code})`
  return REASONS[code] ?? (code === '' ? 'could not be sent' : `could not be sent (${code})`)
}

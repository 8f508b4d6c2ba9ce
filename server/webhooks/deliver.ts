// Sends one webhook delivery: no redirects, ten seconds until the response's head, at most 64 KiB of its body.
import type { LookupAddress } from 'node:dns'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP, type LookupFunction, type Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { DELIVERY_ERRORS, type DeliveryErrorCode } from '../../shared/delivery-errors.ts'
import type { ClaimedDelivery, DeliveryResult } from '../model/delivery-queue.ts'
import {
  BlockedAddress,
  guardedLookup,
  isReachable,
  type PrivateNetworks,
  type Resolve,
} from './address-guard.ts'
import { LookupFailed } from './host-names.ts'
import { HEAD_MAX_BYTES, type Reply, readOddHead, readReplyBody, replyOf } from './reply.ts'
import { signatureHeaders } from './sign.ts'

const HEAD_TIMEOUT_MS = 10_000
const BODY_TIMEOUT_MS = 2_000
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
    if (options.markSent && !(await options.markSent().catch(() => false))) throw new Failure('not_marked')
    marked = true
  }
  let request: ClientRequest | null = null
  try {
    const to = new URL(url)
    request = open(to, await addressesOf(to, options), request_headers)
    const reply = await exchange(request, body, mark, head_timeout_ms, signal)
    const duration_ms = Math.round(performance.now() - began)
    const { code, headers } = reply
    const ok = code >= 200 && code < 300
    return resultOf({
      status: ok ? 'success' : 'failed',
      response_code: code,
      response_headers: headers,
      response_body: await readReplyBody(reply, body_timeout_ms),
      error: ok
        ? null
        : code >= 300 && code < 400
          ? DELIVERY_ERRORS.redirect
          : `${DELIVERY_ERRORS.status} ${code}`,
      duration_ms,
    })
  } catch (error) {
    const { code, details } = reasonOf(error)
    if (code === 'not_marked' || (code === 'interrupted' && !marked)) return null
    return resultOf({ error: DELIVERY_ERRORS[code] + (details === '' ? '' : ` (${details})`) })
  } finally {
    request?.destroy()
  }
}

/** This side ends the delivery. */
class Failure extends Error {
  readonly code: DeliveryErrorCode | 'not_marked'

  constructor(code: Failure['code']) {
    super(code)
    this.code = code
  }
}

/** The name's only lookup. Null for an address. Throws if the delivery may not go there. */
async function addressesOf(
  { hostname }: URL,
  { private_networks, resolve, signal }: DeliverOptions,
): Promise<LookupAddress[] | null> {
  const literal = hostname.replace(/^\[|\]$/g, '')
  if (isIP(literal) !== 0) {
    if (!isReachable(literal, private_networks)) throw new BlockedAddress(literal)
    return null
  }
  return new Promise((done, reject) => {
    const interrupt = () => reject(new Failure('interrupted'))
    signal?.addEventListener('abort', interrupt)
    if (signal?.aborted) interrupt()
    guardedLookup(private_networks, resolve)(hostname, { all: true }, (error, addresses) => {
      signal?.removeEventListener('abort', interrupt)
      if (error) reject(error)
      else done([addresses].flat().filter(each => typeof each !== 'string'))
    })
  })
}

function open(url: URL, addresses: LookupAddress[] | null, headers: Record<string, string>): ClientRequest {
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return send(plain, {
    method: 'POST',
    headers,
    agent: false,
    // The connection carries one request, so nothing can be smuggled in.
    insecureHTTPParser: true,
    maxHeaderSize: HEAD_MAX_BYTES,
    ...(url.username + url.password !== '' && {
      auth: `${percentDecoded(url.username)}:${percentDecoded(url.password)}`,
    }),
    ...(addresses && { lookup: known(addresses) }),
  })
}

const known =
  (addresses: LookupAddress[]): LookupFunction =>
  (_, { all }, callback) => {
    const [first] = addresses
    if (all || !first) callback(null, addresses)
    else callback(null, first.address, first.family)
  }

/** As browsers do: a percent sign that begins no UTF-8 character means itself. */
const percentDecoded = (text: string) =>
  text.replace(/(?:%[0-9a-f]{2})+/gi, encoded => {
    try {
      return decodeURIComponent(encoded)
    } catch {
      return encoded
    }
  })

function exchange(
  request: ClientRequest,
  body: string,
  mark: () => Promise<void>,
  timeout_ms: number,
  signal: AbortSignal | undefined,
): Promise<Reply> {
  let cleanUp = () => {}
  return new Promise<Reply>((resolve, reject) => {
    const fail = (code: DeliveryErrorCode) => reject(new Failure(code))
    const timer = setTimeout(fail, timeout_ms, 'timeout')
    const interrupt = () => fail('interrupted')
    signal?.addEventListener('abort', interrupt)
    if (signal?.aborted) interrupt()
    cleanUp = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', interrupt)
    }
    request.once('response', message => resolve({ ...replyOf(message), body: message }))
    // A 101 with the header `Upgrade`.
    request.once('upgrade', message => resolve({ ...replyOf(message), body: null }))
    let interim = 0
    request.on('information', () => {
      if (++interim > INTERIM_MAX) fail('interim_responses')
    })
    let received: () => Buffer = () => Buffer.alloc(0)
    request.on('error', error => {
      const reply = isUnreadable(error) ? readOddHead(received()) : null
      if (reply) resolve(reply)
      else reject(error)
    })
    request.once('socket', socket => {
      received = keepFirst(socket)
      const connected = socket instanceof TLSSocket ? 'secureConnect' : 'connect'
      socket.once(connected, () => mark().then(() => request.end(body), reject))
    })
  }).finally(() => cleanUp())
}

/** The parser refuses the head, though it isn't too long. */
const isUnreadable = (error: NodeJS.ErrnoException) =>
  error.code?.startsWith('HPE_') === true && error.code !== 'HPE_HEADER_OVERFLOW'

/** Keeps the first bytes that arrive. */
function keepFirst(socket: Socket): () => Buffer {
  const chunks: Buffer[] = []
  let size = 0
  const keep = (chunk: Buffer) => {
    chunks.push(chunk)
    size += chunk.length
    if (size > HEAD_MAX_BYTES) socket.off('data', keep)
  }
  // Before the parser, whose error comes with the last chunk.
  socket.prependListener('data', keep)
  return () => Buffer.concat(chunks)
}

const REASONS: Record<string, DeliveryErrorCode> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'closed_early',
  EPIPE: 'closed_early',
  ENOTFOUND: 'unknown_host',
  EAI_AGAIN: 'lookup',
  ETIMEDOUT: 'timeout',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
}

/** `details`: the code of the error, where it says more. */
function reasonOf(error: unknown): { code: Failure['code']; details: string } {
  if (error instanceof Failure) return { code: error.code, details: '' }
  if (error instanceof LookupFailed) return { code: 'lookup', details: '' }
  if (error instanceof BlockedAddress) return { code: 'blocked_address', details: '' }
  const details = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/CERT|SELF_SIGNED|VERIFY_/.test(details)) return { code: 'bad_certificate', details }
  if (details.startsWith('HPE_')) return { code: 'not_http', details }
  const code = REASONS[details]
  return code ? { code, details: '' } : { code: 'not_sent', details }
}

// Resolves host names for deliveries in the order of the system: the hosts file, then DNS. Unlike the system's own lookup, a
// name whose servers don't respond occupies no thread, and is given up after two seconds.
import { type LookupAddress, promises } from 'node:dns'
import { readFile } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Resolve } from './address-guard.ts'
import { FairLookups } from './fair-lookups.ts'

/** The name's servers didn't answer in time, or with an error that may pass. */
export class LookupFailed extends Error {
  override name = 'LookupFailed'
}

type Options = {
  /** Addresses of DNS servers, instead of those of the system. */
  servers?: string[]
  hosts_file?: string
  resolver_file?: string
  system?: Resolve
}

const LIMIT_MS = 2_000
/** A lost packet is asked for again. */
const TRY_MS = 900
const TRIES = 2
/** Some DNS servers never answer one of the two questions, for IPv4 and IPv6. */
const OTHER_FAMILY_MS = 200

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
]

export class HostNames {
  readonly #options: Options
  readonly #system: FairLookups

  constructor(options: Options = {}) {
    this.#options = options
    this.#system = new FairLookups(options.system)
  }

  /** A resolver for this owner. Aborting `ended` drops its lookups. */
  of(owner_id: string, ended: AbortSignal): Resolve {
    const ask = this.#system.of(owner_id, ended)
    return (hostname, _, callback) => {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(LIMIT_MS)])
      const system = untilAborted(systemLookup(ask, hostname), signal)
      this.#resolve(hostname, signal, system).then(
        addresses => callback(null, addresses),
        error => callback(error, []),
      )
    }
  }

  async #resolve(hostname: string, signal: AbortSignal, system: () => Promise<LookupAddress[]>) {
    const { hosts_file = '/etc/hosts', resolver_file = '/etc/resolv.conf', servers } = this.#options
    const name = hostname.toLowerCase()
    const local = hostsIn(await textOf(hosts_file), name)
    if (local.length > 0) return local
    if (/(^|\.)localhost\.?$/.test(name)) return LOOPBACK
    // Reserved, so that it never exists.
    if (/(^|\.)invalid\.?$/.test(name)) throw notFound(name)
    let failed = false
    for (const candidate of candidatesOf(name, await textOf(resolver_file))) {
      const answer = await askServers(candidate, signal, servers)
      if (answer === 'failed') failed = true
      else if (answer.length > 0) return answer
    }
    if (signal.aborted) throw new LookupFailed(name)
    // The system may know names that DNS doesn't, for instance of the local network.
    const found = await system().catch(() => [])
    if (found.length > 0) return found
    throw failed ? new LookupFailed(name) : notFound(name)
  }
}

const textOf = (file: string) => readFile(file, 'utf8').catch(() => '')

const notFound = (name: string) => Object.assign(new Error(`no host ${name}`), { code: 'ENOTFOUND' })

function hostsIn(text: string, name: string): LookupAddress[] {
  const found = text.split('\n').flatMap(line => {
    const [address = '', ...names] = (line.split('#', 1)[0] ?? '').trim().split(/\s+/)
    const family = isIP(address)
    return family !== 0 && names.some(each => each.toLowerCase() === name) ? [{ address, family }] : []
  })
  return found
}

/** The name, alone and with the search list, as `man resolv.conf` says. */
function candidatesOf(name: string, config: string): string[] {
  if (name.endsWith('.')) return [name]
  const search: string[] = []
  let ndots = 1
  for (const line of config.split('\n')) {
    const [key, ...values] = line.trim().split(/\s+/)
    if (key === 'search' || key === 'domain') search.splice(0, search.length, ...values)
    if (key === 'options') ndots = Number(/\bndots:(\d+)/.exec(line)?.[1] ?? ndots)
  }
  const longer = search.flatMap(domain => (domain === '.' ? [] : [`${name}.${domain}`]))
  const dots = name.split('.').length - 1
  return dots >= ndots ? [name, ...longer] : [...longer, name]
}

/** Empty if the name doesn't exist or has no address. IPv4 addresses come first. */
async function askServers(
  name: string,
  signal: AbortSignal,
  servers: string[] | undefined,
): Promise<LookupAddress[] | 'failed'> {
  if (signal.aborted) return 'failed'
  // A new one, because the system's servers may have changed, and to cancel no other lookup.
  const resolver = new promises.Resolver({ timeout: TRY_MS, tries: TRIES })
  if (servers) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel)
  let timer: NodeJS.Timeout | undefined
  const ask = async (addresses: Promise<string[]>, family: 4 | 6) => {
    const found = await addresses
    if (found.length > 0) timer ??= setTimeout(cancel, OTHER_FAMILY_MS)
    return found.map(address => ({ address, family }))
  }
  const answers = await Promise.allSettled([ask(resolver.resolve4(name), 4), ask(resolver.resolve6(name), 6)])
  clearTimeout(timer)
  signal.removeEventListener('abort', cancel)
  const found = answers.flatMap(answer => (answer.status === 'fulfilled' ? answer.value : []))
  const failed = answers.some(answer => answer.status === 'rejected' && !isAnswer(answer.reason))
  return found.length === 0 && failed ? 'failed' : found
}

/** The server knows that the name doesn't exist, can't exist, or has no address of this family. */
const isAnswer = ({ code }: { code?: string }) =>
  code === 'ENOTFOUND' || code === 'ENODATA' || code === 'EBADNAME'

const systemLookup = (resolve: Resolve, name: string) => () =>
  new Promise<LookupAddress[]>((done, reject) =>
    resolve(name, { all: true }, (error, addresses) => (error ? reject(error) : done(addresses))),
  )

const untilAborted =
  <T>(work: () => Promise<T>, signal: AbortSignal) =>
  () =>
    Promise.race([
      work(),
      new Promise<never>((_, reject) => {
        const stop = () => reject(new LookupFailed())
        if (signal.aborted) stop()
        signal.addEventListener('abort', stop, { once: true })
      }),
    ])

// Reads DATABASE_URL as libpq does (PostgreSQL documentation, "Connection URIs"), because the driver would send each
// parameter that it doesn't know to the server. Plain JavaScript, because a worker thread uses it too.
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'

/** @typedef {{ host: string, port: number }} Address */
/** @typedef {import('node:tls').ConnectionOptions} TlsOptions */
/** @typedef {(name: string) => string | undefined} Get */

const DEFAULT_PORT = 5432

/** What a URL may contain besides what the parts of the address say. The other parameters end the start. */
const OBEYED = names(`
  host hostaddr port user password dbname connect_timeout keepalives keepalives_idle target_session_attrs application_name options
  sslmode sslrootcert sslcert sslkey sslpassword sslnegotiation ssl_min_protocol_version ssl_max_protocol_version
  prepare pgbouncer`) // The last two aren't libpq's: they are for poolers that lose prepared statements.

/** They change nothing that the service relies on. `channel_binding=require` asks for more than the driver can do. */
const HARMLESS = names(`
  channel_binding fallback_application_name gssdelegation gsslib keepalives_count keepalives_interval krbsrvname load_balance_hosts
  max_protocol_version min_protocol_version sslcertmode sslcompression sslkeylogfile sslsni tcp_user_timeout
  uselibpqcompat`) // The last one is node-postgres's: it asks for the meaning that sslmode has here.

/** Harmless with these values. */
const HARMLESS_VALUES = new Map([
  ['client_encoding', /^(utf-?8|auto)$/i],
  ['gssencmode', /^(disable|prefer)$/],
  ['replication', /^(false|off|no|0)$/],
  ['requiressl', /^0$/],
])

/**
 * Returns the driver's options. What they lack comes from PGHOST, PGPORT, PGUSER, PGPASSWORD and PGDATABASE. Throws an error
 * with one line that contains no secret.
 * @param {string} url
 * @returns {Omit<import('postgres').Options<Record<string, never>>, 'types'>}
 */
export function readConnectionUrl(url) {
  const { user, password, addresses: own, database, parameters } = splitUrl(url)
  for (const [name, value] of parameters) requireSupported(name, value)
  const get = (/** @type {string} */ name) => parameters.get(name) || undefined
  const addresses = chooseAddresses(own, get)
  const [first] = addresses
  const folder = first?.host.startsWith('/') ? first.host : undefined
  const ports = addresses.map(({ port }) => port)
  const hosts = get('hostaddr')?.split(',') ?? addresses.map(({ host }) => host)
  const application_name = get('application_name')
  const options = get('options')
  const connect_timeout = seconds(get, 'connect_timeout')
  const keep_alive = get('keepalives') === '0' ? null : seconds(get, 'keepalives_idle')
  const driver = {
    user: get('user') ?? user,
    password: get('password') ?? password,
    database: get('dbname') ?? database,
    ssl: folder ? false : tlsOptions(get, first?.host),
    prepare: !(/^(false|off|no|0)$/.test(get('prepare') ?? '') || get('pgbouncer') === 'true'),
    target_session_attrs: sessionRole(get, hosts.length),
    connection: { ...(application_name && { application_name }), ...(options && { options }) },
    // The driver takes an undefined time for none.
    ...(connect_timeout !== undefined && { connect_timeout }),
    ...(keep_alive !== undefined && { keep_alive }),
  }
  if (first && folder) return { ...driver, path: `${folder}/.s.PGSQL.${first.port}` }
  // The driver's types know one host only, and no direct negotiation.
  if (first) Object.assign(driver, { host: hosts, port: ports })
  if (oneOf(get, 'sslnegotiation', ['postgres', 'direct']) === 'direct')
    Object.assign(driver, { sslnegotiation: 'direct' })
  return driver
}

/** @param {string} list */
function names(list) {
  return new Set(list.trim().split(/\s+/))
}

/** @param {string} name @param {string} value */
function requireSupported(name, value) {
  if (OBEYED.has(name) || HARMLESS.has(name) || HARMLESS_VALUES.get(name)?.test(value)) return
  // A value may be secret, and so may a name in which somebody forgot to encode a part of a password.
  const shown = /^[a-z_]{1,40}$/.test(name)
    ? `its parameter ${name} is not supported`
    : 'it has an unknown parameter'
  throw new Error(
    `${shown}; a setting of the session goes into options, as in options=-c%20search_path%3Dfeed`,
  )
}

/** @param {string} url */
function splitUrl(url) {
  const [, address = '', path = '', query = ''] =
    /^postgres(?:ql)?:\/\/([^/?]*)(?:\/([^?]*))?(?:\?(.*))?$/s.exec(url) ?? []
  const end = address.lastIndexOf('@')
  const credentials = address.slice(0, Math.max(0, end))
  const colon = credentials.indexOf(':')
  const hosts = address.slice(end + 1)
  return {
    user: decode(colon < 0 ? credentials : credentials.slice(0, colon)) || undefined,
    password: colon < 0 ? undefined : decode(credentials.slice(colon + 1)),
    addresses: hosts === '' ? [] : hosts.split(',').map(readAddress),
    database: decode(path) || undefined,
    parameters: new Map(query.split('&').filter(Boolean).map(readParameter)),
  }
}

/** @param {string} pair @returns {[string, string]} */
function readParameter(pair) {
  const equals = pair.indexOf('=')
  if (equals < 0) throw new Error('one of its parameters has no value')
  return [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('it has a % that is not followed by two hexadecimal digits: write %25 for a percent sign')
  }
}

/** @param {string} text such as `db.example:5432`, `[::1]` or `%2Fvar%2Frun%2Fpostgresql` @returns {Address} */
function readAddress(text) {
  const bracket = text.startsWith('[') ? text.indexOf(']') : -1
  const colon = text.indexOf(':', bracket + 1)
  const end = colon < 0 ? text.length : colon
  const host = bracket < 0 ? text.slice(0, end) : text.slice(1, bracket)
  return { host: decode(host) || 'localhost', port: portOf(text.slice(end + 1)) }
}

/**
 * Parameters come before the parts of the address.
 * @param {Address[]} addresses
 * @param {Get} get
 * @returns {Address[]} empty if the environment or the driver decides
 */
function chooseAddresses(addresses, get) {
  const hosts = get('host')?.split(',') ?? addresses.map(({ host }) => host)
  const ports = get('port')?.split(',').map(portOf) ?? addresses.map(({ port }) => port)
  if (hosts.length === 0 && get('port')) hosts.push(process.env.PGHOST ?? 'localhost')
  return hosts.map((host, index) => ({
    host,
    port: ports[ports.length > 1 ? index : 0] ?? portOf(undefined),
  }))
}

/** @param {string | undefined} text */
function portOf(text) {
  if (text === undefined || text === '') return Number(process.env.PGPORT) || DEFAULT_PORT
  // Without the text, because an unencoded / in a password makes the password a port.
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new Error(
      'its port is not a number up to 65535; a / or ? in a user name or password is written as %2F or %3F',
    )
  return Number(text)
}

/**
 * @param {Get} get
 * @param {string | undefined} host
 * @returns {'prefer' | TlsOptions | false}
 */
function tlsOptions(get, host) {
  const modes = /** @type {const} */ (['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'])
  const root = get('sslrootcert')
  const mode = oneOf(get, 'sslmode', modes) ?? (root === 'system' ? 'verify-full' : 'disable')
  if (mode === 'disable') return false
  if (mode === 'allow' || mode === 'prefer') return 'prefer'
  const ca = root === undefined || root === 'system' ? undefined : readFile(get, 'sslrootcert')
  // As in libpq, a certificate to check with asks for the check.
  const checked = mode !== 'require' || ca !== undefined
  const named = mode === 'verify-full'
  return {
    ca,
    cert: readFile(get, 'sslcert'),
    key: readFile(get, 'sslkey'),
    passphrase: get('sslpassword'),
    minVersion: tlsVersion(get, 'ssl_min_protocol_version'),
    maxVersion: tlsVersion(get, 'ssl_max_protocol_version'),
    rejectUnauthorized: checked,
    ...(!named && { checkServerIdentity: () => undefined }),
    // The driver names no server for an address, and Node would then look for "localhost" in the certificate.
    ...(named &&
      host &&
      isIP(host) !== 0 && { checkServerIdentity: (_, cert) => checkServerIdentity(host, cert) }),
    // `hostaddr` says where the host is; the certificate names the host.
    ...(get('hostaddr') && host && isIP(host) === 0 && { servername: host }),
  }
}

/**
 * @param {Get} get
 * @param {string} name
 */
function readFile(get, name) {
  const path = get(name)
  if (path === undefined) return undefined
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`its ${name} can't be read: ${error instanceof Error ? error.message : error}`)
  }
}

/**
 * @param {Get} get
 * @param {string} name
 */
function tlsVersion(get, name) {
  return oneOf(get, name, /** @type {const} */ (['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3']))
}

/**
 * @template {string} T
 * @param {Get} get
 * @param {string} name
 * @param {readonly T[]} values
 * @returns {T | undefined}
 */
function oneOf(get, name, values) {
  const value = get(name)
  const known = values.find(one => one === value)
  if (value !== undefined && known === undefined)
    throw new Error(`its ${name} must be one of ${values.join(', ')}`)
  return known
}

/**
 * @param {Get} get
 * @param {string} name
 */
function seconds(get, name) {
  const value = get(name)
  if (value === undefined) return undefined
  if (!/^-?\d{1,9}$/.test(value)) throw new Error(`its ${name} must be a number of seconds`)
  // libpq waits for ever if it isn't positive; the driver's default is kept then.
  return Number(value) > 0 ? Number(value) : undefined
}

/**
 * The driver tries the next host until one has the role. With one host it would try for ever, and the start checks the
 * role itself.
 * @param {Get} get
 * @param {number} hosts
 */
function sessionRole(get, hosts) {
  const role = oneOf(get, 'target_session_attrs', /** @type {const} */ (['any', 'read-write', 'primary']))
  return role === 'any' || hosts < 2 ? undefined : role
}

// Parses the environment once. A wrong value stops the start with one line that names the variable.
import { z } from 'zod'

export class ConfigError extends Error {
  override name = 'ConfigError'
}

const limit = (byDefault: number, digits = 9) =>
  z
    .string()
    .refine(
      value => /^\d+$/.test(value) && value.length <= digits,
      'must be a whole number, 0 to lift the limit',
    )
    .transform(value => (Number(value) === 0 ? null : Number(value)))
    .default(byDefault)

const EMBEDDED_RETENTION_DAYS = 90
const DRAIN_MAX_S = 300
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const
const SECRET = ['DATABASE_URL', 'AUTH_SECRET', 'REDIS_URL', 'OIDC_CLIENT_SECRET']
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/

/** Without a query, because the driver would take options from it. */
function isRedisUrl(value: string): boolean {
  if (!/^rediss?:\/\/./.test(value) || !URL.canParse(value)) return false
  const { hostname, pathname, search, username, password } = new URL(value)
  return hostname !== '' && /^\/?\d{0,4}$/.test(pathname) && search === '' && isEncoded(username + password)
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text)
    return true
  } catch {
    return false
  }
}

/** The service answers at the root of a host: cookies, links and the service worker rely on it. */
function isOrigin(value: string): boolean {
  return /^https?:\/\/[^\s/?#@]+\/?$/.test(value) && URL.canParse(value)
}

/** Exactly as in the provider's discovery document. */
function isIssuer(value: string): boolean {
  if (!/^https?:\/\/[^\s?#@]+$/.test(value) || !URL.canParse(value)) return false
  const { protocol, hostname } = new URL(value)
  return (protocol === 'https:' || LOOPBACK.test(hostname)) && !value.includes('/.well-known/')
}

const onOrOff = z
  .enum(['on', 'off'], 'must be on or off')
  .transform(value => value === 'on')
  .default(true)

const oneOrZero = z
  .enum(['0', '1'], 'must be 1, 0 or unset')
  .transform(value => value === '1')
  .default(false)

const optional = <T extends z.ZodType>(value: T) => value.nullable().default(null)

/** Each setting comes from the variable of its name in capitals. Null: no limit, or unset. */
const settings = z.object({
  port: z
    .string()
    .refine(value => /^\d{1,5}$/.test(value) && Number(value) <= 65_535, 'must be a port number, 0 to 65535')
    .transform(Number)
    .default(3000),
  host: z.string().default('127.0.0.1'),
  database_url: optional(
    z.string().regex(/^postgres(ql)?:\/\/./, 'must be a postgres:// or postgresql:// URL'),
  ),
  data_dir: z.string().default('./data'),
  /** Null: `http://localhost:` and the port in use. */
  public_url: optional(
    z
      .string()
      .refine(isOrigin, 'must be an http:// or https:// URL without a path, such as https://feed.example')
      .transform(value => value.replace(/\/$/, '')),
  ),
  auth_secret: optional(z.string().min(16, 'must have at least 16 characters')),
  /** A private Ed25519 JWK in one line. `main.ts` checks it. */
  signing_key: optional(z.string()),
  redis_url: optional(
    z
      .string()
      .refine(isRedisUrl, 'must be a redis:// or rediss:// URL: redis://user:password@host:port/database'),
  ),
  daily_card_limit: limit(200),
  daily_channel_limit: limit(50),
  /** Of cards, changes and interactions, per owner. */
  daily_byte_limit: limit(268_435_456, 15),
  workspace_limit: limit(3),
  /** Of a workspace, besides its owner. */
  member_limit: limit(100),
  sockets_per_address: limit(2_000),
  /** Interactions per minute and user, or per network address without a session. */
  act_limit: limit(240),
  webhook_private_networks: z.enum(['allow', 'deny'], 'must be allow or deny').optional(),
  trust_proxy: oneOrZero,
  /** `invite`: only with an invite. The first account needs none, and a valid invite always suffices. */
  signups: z.enum(['open', 'invite', 'closed'], 'must be open, invite or closed').default('open'),
  /** Sign-ups per network address in ten minutes. */
  signup_limit: limit(20),
  oidc_issuer: optional(
    z
      .string()
      .refine(
        isIssuer,
        'must be an https:// URL without /.well-known/, or an http:// one on this machine, such as https://id.example',
      ),
  ),
  oidc_client_id: optional(z.string()),
  oidc_client_secret: optional(z.string()),
  oidc_name: z.string().default('Single sign-on'),
  oidc_scopes: z
    .string()
    .refine(value => value.split(' ').includes('openid'), 'must be a list that contains openid')
    .default('openid email profile'),
  /** Whether single sign-on creates accounts. */
  oidc_signups: onOrOff,
  /** Whether an e-mail address counts as verified if the provider doesn't say so. */
  oidc_trust_email: oneOrZero,
  password_sign_in: onOrOff,
  log_level: z.enum(LOG_LEVELS, `must be one of ${LOG_LEVELS.join(', ')}`).default('info'),
  interaction_retention_days: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number of days, 0 to keep them')
    .transform(Number)
    .optional(),
  /** How long SIGTERM drains the service before it stops. */
  drain_seconds: z
    .string()
    .refine(
      value => /^\d{1,3}$/.test(value) && Number(value) <= DRAIN_MAX_S,
      `must be a whole number of seconds, 0 to ${DRAIN_MAX_S}`,
    )
    .transform(Number)
    .default(0),
  /** The npm package with the embedded database's binaries; null: the one for this platform. */
  postgres_package: optional(z.string()),
  demo: onOrOff,
})
type Given = z.output<typeof settings>

const OIDC = ['oidc_issuer', 'oidc_client_id', 'oidc_client_secret'] as const

const complete = settings.superRefine((given, context) => {
  const set = OIDC.find(name => given[name] !== null)
  const missing = OIDC.find(name => given[name] === null)
  const add = (name: keyof Given, message: string) =>
    context.addIssue({ code: 'custom', path: [name], message, input: given[name] })
  if (set && missing) add(missing, `must be set together with ${set.toUpperCase()}`)
  else if (missing && !given.password_sign_in)
    add('password_sign_in', 'must be on unless OIDC_ISSUER is set: nobody could sign in')
})

/** These defaults depend on the database. Nobody watches the size of an embedded one, so old interactions are deleted. */
const environment = complete.transform(given => ({
  ...given,
  webhook_private_networks: given.webhook_private_networks ?? (given.database_url ? 'deny' : 'allow'),
  interaction_retention_days:
    (given.interaction_retention_days ?? (given.database_url ? 0 : EMBEDDED_RETENTION_DAYS)) || null,
}))
export type Config = z.output<typeof environment>

/** Reads `env`; a variable that is set and empty counts as unset. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const names = Object.keys(settings.shape)
  const result = environment.safeParse(
    Object.fromEntries(names.map(name => [name, env[name.toUpperCase()] || undefined])),
  )
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const name = String(issue?.path[0]).toUpperCase()
  const value = SECRET.includes(name) ? 'something else' : JSON.stringify(env[name])
  throw new ConfigError(`${name} ${issue?.message}, but it is ${env[name] ? `set to ${value}` : 'not set'}`)
}

export type OidcSettings = {
  issuer: string
  client_id: string
  client_secret: string
  name: string
  scopes: string
}

/** Null without single sign-on. */
export function oidcSettings(config: Config): OidcSettings | null {
  const { oidc_issuer, oidc_client_id, oidc_client_secret, oidc_name, oidc_scopes } = config
  if (oidc_issuer === null || oidc_client_id === null || oidc_client_secret === null) return null
  return {
    issuer: oidc_issuer,
    client_id: oidc_client_id,
    client_secret: oidc_client_secret,
    name: oidc_name,
    scopes: oidc_scopes,
  }
}

const OPEN_DEFAULTS = [
  { name: 'SIGNUPS', allows: 'anyone can sign up', safe: 'closed' },
  { name: 'WEBHOOK_PRIVATE_NETWORKS', allows: 'webhooks can reach private addresses', safe: 'deny' },
]

/** A warning if other machines can reach the service and such a default is unset; otherwise null. */
export function exposureWarning(config: Config, env: Record<string, string | undefined>): string | null {
  if (config.database_url !== null || LOOPBACK.test(config.host)) return null
  const unset = OPEN_DEFAULTS.filter(({ name }) => !env[name])
  if (unset.length === 0) return null
  const list = (textOf: (unset: (typeof OPEN_DEFAULTS)[number]) => string) => unset.map(textOf).join(' and ')
  return (
    `Other machines can reach HOST ${config.host}, where ${list(({ allows }) => allows)}: ` +
    `set ${list(({ name, safe }) => `${name}=${safe}`)}, or set ${list(({ name }) => name)} explicitly to keep this`
  )
}

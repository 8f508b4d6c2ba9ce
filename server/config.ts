// Parses the environment once. A wrong value stops the start with one line that names the variable.
import { z } from 'zod'

export class ConfigError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'ConfigError'
  }
}

const limit = (byDefault: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, 'must be a whole number, 0 to lift the limit')
    .transform(value => (Number(value) === 0 ? null : Number(value)))
    .default(byDefault)

const EMBEDDED_RETENTION_DAYS = 90

/** Refuses a query, because the driver would take options from it. */
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

function withoutEndSlashes(url: string): string {
  let end = url.length
  while (url.charAt(end - 1) === '/') end--
  return url.slice(0, end)
}

const variables = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a port number, 0 to 65535')
    .transform(Number)
    .refine(port => port <= 65_535, 'must be a port number, 0 to 65535')
    .default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\/./, 'must be a postgres:// or postgresql:// URL')
    .optional(),
  DATA_DIR: z.string().default('./data'),
  PUBLIC_URL: z
    .string()
    .refine(value => /^https?:\/\//.test(value) && URL.canParse(value), 'must be an http:// or https:// URL')
    .transform(withoutEndSlashes)
    .optional(),
  AUTH_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  REDIS_URL: z
    .string()
    .refine(isRedisUrl, 'must be a redis:// or rediss:// URL: redis://user:password@host:port/database')
    .optional(),
  DAILY_CARD_LIMIT: limit(200),
  DAILY_CHANNEL_LIMIT: limit(50),
  WORKSPACE_LIMIT: limit(3),
  SOCKETS_PER_ADDRESS: limit(2_000),
  ACT_LIMIT: limit(240),
  WEBHOOK_PRIVATE_NETWORKS: z.enum(['allow', 'deny'], 'must be allow or deny').optional(),
  SIGNUP_LIMIT: limit(20),
  TRUST_PROXY: z.enum(['0', '1'], 'must be 1, 0 or unset').default('0'),
  SIGNUPS: z.enum(['open', 'closed'], 'must be open or closed').default('open'),
  LOG_LEVEL: z
    .enum(
      ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'],
      'must be one of trace, debug, info, warn, error, fatal, silent',
    )
    .default('info'),
  INTERACTION_RETENTION_DAYS: z
    .string()
    .regex(/^\d{1,5}$/, 'must be a whole number of days, 0 to keep them')
    .transform(Number)
    .optional(),
  POSTGRES_PACKAGE: z.string().optional(),
  DEMO: z.enum(['on', 'off'], 'must be on or off').default('on'),
})

/** Limits that are lifted and settings that are unset are null. */
const environment = variables.transform(parsed => ({
  port: parsed.PORT,
  host: parsed.HOST,
  database_url: parsed.DATABASE_URL ?? null,
  data_dir: parsed.DATA_DIR,
  /** Null: `http://localhost:` and the port in use. */
  public_url: parsed.PUBLIC_URL ?? null,
  auth_secret: parsed.AUTH_SECRET ?? null,
  redis_url: parsed.REDIS_URL ?? null,
  daily_card_limit: parsed.DAILY_CARD_LIMIT,
  daily_channel_limit: parsed.DAILY_CHANNEL_LIMIT,
  workspace_limit: parsed.WORKSPACE_LIMIT,
  /** Open WebSockets per network address. */
  sockets_per_address: parsed.SOCKETS_PER_ADDRESS,
  /** Interactions per minute and user, or per network address without a session. */
  act_limit: parsed.ACT_LIMIT,
  webhook_private_networks: parsed.WEBHOOK_PRIVATE_NETWORKS ?? (parsed.DATABASE_URL ? 'deny' : 'allow'),
  trust_proxy: parsed.TRUST_PROXY === '1',
  signups: parsed.SIGNUPS,
  /** Sign-ups per network address in ten minutes. */
  signup_limit: parsed.SIGNUP_LIMIT,
  log_level: parsed.LOG_LEVEL,
  /** Null: interactions are kept forever. */
  interaction_retention_days: retentionDays(parsed),
  /** The npm package with the embedded database's binaries; null: the one for this platform. */
  postgres_package: parsed.POSTGRES_PACKAGE ?? null,
  demo: parsed.DEMO === 'on',
}))
export type Config = z.output<typeof environment>

/** Reads `env`; a variable that is set and empty counts as unset. */
export function loadConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const result = environment.safeParse(given)
  if (result.success) return result.data
  const issue = result.error.issues[0]
  const name = String(issue?.path[0])
  throw new ConfigError(`${name} ${issue?.message}, but it is set to ${describe(name, given[name])}`)
}

/** Defaults that are only right on a private machine: what they allow, and the setting that forbids it. */
const OPEN_DEFAULTS = [
  { name: 'SIGNUPS', allows: 'anyone can sign up', stop: 'SIGNUPS=closed' },
  {
    name: 'WEBHOOK_PRIVATE_NETWORKS',
    allows: 'webhooks can reach private addresses',
    stop: 'WEBHOOK_PRIVATE_NETWORKS=deny',
  },
]

/** A warning if other machines can reach the service and such a default is unset; otherwise null. */
export function exposureWarning(config: Config, env: Record<string, string | undefined>): string | null {
  if (config.database_url !== null || isLoopback(config.host)) return null
  const unset = OPEN_DEFAULTS.filter(({ name }) => !env[name])
  if (unset.length === 0) return null
  const [allowed, stops] = [unset.map(({ allows }) => allows), unset.map(({ stop }) => stop)]
  return (
    `Other machines can reach HOST ${config.host}, where ${allowed.join(' and ')}: ` +
    `set ${stops.join(' and ')}, or set ${unset.map(({ name }) => name).join(' and ')} explicitly to keep this`
  )
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host)
}

/** Nobody watches the size of an embedded database, so old interactions are deleted by default. */
function retentionDays(parsed: z.output<typeof variables>): number | null {
  const by_default = parsed.DATABASE_URL ? 0 : EMBEDDED_RETENTION_DAYS
  const days = parsed.INTERACTION_RETENTION_DAYS ?? by_default
  return days === 0 ? null : days
}

const SECRET = ['DATABASE_URL', 'AUTH_SECRET', 'REDIS_URL']

function describe(name: string, value: string | undefined): string {
  return SECRET.includes(name) ? 'something else' : JSON.stringify(value)
}

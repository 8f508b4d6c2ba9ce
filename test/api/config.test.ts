// The environment: defaults, and a clear line for a wrong value.
import { describe, expect, test } from 'vitest'
import { ConfigError, exposureWarning, loadConfig, oidcSettings } from '../../server/config.ts'
import { textOf } from '../structure/imports.ts'

/** The rows of the README's table: the variables, and the defaults that are values. */
const documented = [...textOf('README.md').matchAll(/^\| ((?:`[A-Z_]+`(?:, )?)+) \| (.+?) \|/gm)].flatMap(
  ([, names = '', defaults = '']) => {
    const values = defaults.split(';')[0]?.split(', ') ?? []
    return names.split(', ').map((name, i) => ({
      name: name.replaceAll('`', ''),
      value: /^`([^`]+)`$/.exec(values[i] ?? '')?.[1],
    }))
  },
)

test('the README lists every variable', () => {
  const names = documented.map(({ name }) => name.toLowerCase())
  expect(names.toSorted()).toEqual(Object.keys(loadConfig({})).toSorted())
})

test.each(documented)('the default of $name is the one in the README', ({ name, value }) => {
  const setting: Partial<Record<string, unknown>> = loadConfig({})
  if (value === undefined)
    expect(setting[name.toLowerCase()]).toSatisfy((given: unknown) => given === null || given === false)
  else expect(loadConfig({ [name]: value })).toStrictEqual(loadConfig({}))
})

test('a variable that is set and empty counts as unset', () => {
  const empty = { PORT: '', DATABASE_URL: '', AUTH_SECRET: '', DAILY_CARD_LIMIT: '', SIGNUPS: '', HOST: '' }
  expect(loadConfig(empty)).toStrictEqual(loadConfig({}))
})

describe('a warning about open defaults', () => {
  const warning = (env: Record<string, string>) => exposureWarning(loadConfig(env), env)

  test.each(['0.0.0.0', '::', '192.168.1.5', 'feed.example'])(
    'a warning about open defaults appears if HOST is %s',
    HOST => {
      expect(warning({ HOST })).toBe(
        `Other machines can reach HOST ${HOST}, where anyone can sign up and webhooks can reach private addresses: ` +
          'set SIGNUPS=closed and WEBHOOK_PRIVATE_NETWORKS=deny, ' +
          'or set SIGNUPS and WEBHOOK_PRIVATE_NETWORKS explicitly to keep this',
      )
    },
  )

  test.each([undefined, '127.0.0.1', '127.8.0.1', '::1', 'localhost'])(
    'a warning about open defaults does not appear if HOST is %s',
    HOST => {
      expect(warning(HOST === undefined ? {} : { HOST })).toBeNull()
    },
  )

  test('a warning about open defaults names only the variables that are unset', () => {
    expect(warning({ HOST: '::', SIGNUPS: 'open' })).toBe(
      'Other machines can reach HOST ::, where webhooks can reach private addresses: ' +
        'set WEBHOOK_PRIVATE_NETWORKS=deny, or set WEBHOOK_PRIVATE_NETWORKS explicitly to keep this',
    )
    expect(warning({ HOST: '::', WEBHOOK_PRIVATE_NETWORKS: 'allow', SIGNUPS: '' })).toMatch(
      /where anyone can sign up: set/,
    )
    expect(warning({ HOST: '::', WEBHOOK_PRIVATE_NETWORKS: 'allow', SIGNUPS: 'closed' })).toBeNull()
  })

  test('a warning about open defaults does not appear with DATABASE_URL', () => {
    expect(warning({ HOST: '::', DATABASE_URL: 'postgres://localhost/feed' })).toBeNull()
  })
})

test.each([
  'DAILY_CARD_LIMIT',
  'DAILY_CHANNEL_LIMIT',
  'DAILY_BYTE_LIMIT',
  'WORKSPACE_LIMIT',
  'SOCKETS_PER_ADDRESS',
  'ACT_LIMIT',
  'SIGNUP_LIMIT',
])('%s=0 lifts the limit', name => {
  expect(loadConfig({ [name]: '0' })).toHaveProperty(name.toLowerCase(), null)
})

test('webhooks reach private networks by default only with the embedded database', () => {
  const DATABASE_URL = 'postgres://localhost/feed'
  const networks = (env: Record<string, string>) => loadConfig(env).webhook_private_networks
  expect(networks({ DATABASE_URL })).toBe('deny')
  expect(networks({ DATABASE_URL, WEBHOOK_PRIVATE_NETWORKS: 'allow' })).toBe('allow')
  expect(networks({ WEBHOOK_PRIVATE_NETWORKS: 'deny' })).toBe('deny')
})

test('interactions are kept by default for 90 days with the embedded database, and forever otherwise', () => {
  const DATABASE_URL = 'postgres://localhost/feed'
  const days = (env: Record<string, string>) => loadConfig(env).interaction_retention_days
  expect([days({}), days({ DATABASE_URL })]).toEqual([90, null])
  expect(days({ INTERACTION_RETENTION_DAYS: '0' })).toBe(null)
  expect(days({ INTERACTION_RETENTION_DAYS: '7' })).toBe(7)
  expect(days({ DATABASE_URL, INTERACTION_RETENTION_DAYS: '7' })).toBe(7)
})

test.each([
  [{ PORT: '0' }, { port: 0 }],
  [{ PORT: '65535' }, { port: 65_535 }],
  [{ PUBLIC_URL: 'https://feed.example/' }, { public_url: 'https://feed.example' }],
  [{ TRUST_PROXY: '1' }, { trust_proxy: true }],
  [{ TRUST_PROXY: '0' }, { trust_proxy: false }],
  [{ SIGNUPS: 'closed' }, { signups: 'closed' }],
  [{ SIGNUPS: 'invite' }, { signups: 'invite' }],
  [{ SIGNUP_LIMIT: '5' }, { signup_limit: 5 }],
  [{ DRAIN_SECONDS: '300' }, { drain_seconds: 300 }],
  [{ DEMO: 'off' }, { demo: false }],
  [{ LOG_LEVEL: 'debug' }, { log_level: 'debug' }],
  [{ REDIS_URL: 'rediss://h:1' }, { redis_url: 'rediss://h:1' }],
  [{ REDIS_URL: 'redis://u:p%20w@[::1]/2' }, { redis_url: 'redis://u:p%20w@[::1]/2' }],
])('%j is accepted', (env, expected) => {
  expect(loadConfig(env)).toMatchObject(expected)
})

describe('single sign-on', () => {
  const set = { OIDC_ISSUER: 'https://id.example', OIDC_CLIENT_ID: 'feed', OIDC_CLIENT_SECRET: 'hunter2' }

  test.each([
    'https://id.example',
    'https://id.example/realms/team',
    'https://id.example:8443/application/o/feed/',
    'http://localhost:8080/realms/team',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
  ])('OIDC_ISSUER=%s is accepted', OIDC_ISSUER => {
    expect(oidcSettings(loadConfig({ ...set, OIDC_ISSUER }))).toEqual({
      issuer: OIDC_ISSUER,
      client_id: 'feed',
      client_secret: 'hunter2',
      name: 'Single sign-on',
      scopes: 'openid email profile',
    })
  })

  test('without its variables there is no single sign-on', () => {
    expect(oidcSettings(loadConfig({ OIDC_NAME: 'Company login' }))).toBeNull()
  })

  test.each(Object.keys(set))('without %s, the others stop the start', name => {
    const start = () => loadConfig({ ...set, [name]: undefined })
    expect(start).toThrow(new RegExp(`^${name} must be set together with OIDC_\\w+, but it is not set$`))
    expect(start).not.toThrow('hunter2')
  })

  test('PASSWORD_SIGN_IN=off stops the start without single sign-on', () => {
    const message = 'PASSWORD_SIGN_IN must be on unless OIDC_ISSUER is set: nobody could sign in'
    expect(() => loadConfig({ PASSWORD_SIGN_IN: 'off' })).toThrow(message)
    expect(loadConfig({ ...set, PASSWORD_SIGN_IN: 'off' })).toMatchObject({ password_sign_in: false })
  })
})

describe('a wrong value', () => {
  const SECRETS = ['DATABASE_URL', 'AUTH_SECRET', 'REDIS_URL']
  const rows = Object.entries({
    PORT: ['http', '65536', '-1', '80.5'],
    DATABASE_URL: ['mysql://user:hunter2@localhost', 'hunter2'],
    PUBLIC_URL: [
      'feed.example',
      'ftp://feed.example',
      'https://',
      'https://feed.example/path',
      'https://feed.example/?a=b',
      'https://feed.example#a',
      'https://me@feed.example',
      'https://feed.example ',
      'https://feed.example:99999',
      'https://feed.example//',
    ],
    AUTH_SECRET: ['hunter2'],
    REDIS_URL: [
      'http://hunter2',
      'hunter2',
      'redis://:hunter2@',
      'redis://:hunter2@host:99999',
      'redis://:hunter2%ff@host',
      'redis://host/hunter2',
      'redis://host?password=hunter2',
    ],
    DAILY_CARD_LIMIT: ['many', '-1', '1.5'],
    DAILY_CHANNEL_LIMIT: ['1e3', '99999999999'],
    WORKSPACE_LIMIT: ['none'],
    ACT_LIMIT: ['none'],
    INTERACTION_RETENTION_DAYS: ['1.5'],
    WEBHOOK_PRIVATE_NETWORKS: ['yes'],
    TRUST_PROXY: ['true'],
    SIGNUPS: ['off'],
    OIDC_ISSUER: [
      'id.example',
      'ftp://id.example',
      'http://id.example',
      'http://localhost.evil.example',
      'http://192.168.1.5:8080',
      'https://me@id.example',
      'https://id.example?a=b',
      'https://id.example#a',
      'https://id.example/.well-known/openid-configuration',
    ],
    OIDC_SCOPES: ['email profile', 'openid2'],
    OIDC_SIGNUPS: ['yes'],
    OIDC_TRUST_EMAIL: ['true'],
    PASSWORD_SIGN_IN: ['no'],
    SIGNUP_LIMIT: ['-1'],
    DRAIN_SECONDS: ['301', '-1', '1.5', '20s'],
    LOG_LEVEL: ['verbose'],
    DEMO: ['no'],
  }).flatMap(([name, values]) => values.map(value => [name, value] as const))
  test.each(rows)('%s=%s stops the start with one line that names the variable', (name, value) => {
    const start = () => loadConfig({ [name]: value })
    expect(start).toThrow(ConfigError)
    // One line: `.` matches no line break.
    expect(start).toThrow(new RegExp(`^${name} must .+$`))
    if (SECRETS.includes(name)) expect(start).not.toThrow('hunter2')
    else expect(start).toThrow(value)
  })
})

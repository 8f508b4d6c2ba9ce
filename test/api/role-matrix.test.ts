// The full matrix of rights: every route with every role, in workspaces of each visibility, by session and by key. A route
// without a row fails.
import { beforeAll, describe, expect, test } from 'vitest'
import { VISIBILITIES } from '../../shared/channel.ts'
import { ROLES, type Role } from '../../shared/role.ts'
import { createAccount } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { fillPath, mountedRoutes } from '../support/mounted-routes.ts'
import { livePath } from '../support/open-page.ts'
import { runService } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { createPeople, createTeam, type Team } from '../support/team.ts'
import { upgradeStatus } from '../support/viewer.ts'
import { ANY_KEY, ANY_SESSION, KEY_ROWS, OPEN, type Right, ROWS, type Row, sees } from './role-rows.ts'

const limits = { WORKSPACE_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', ACT_LIMIT: '0' }
// Its routes exist only if a provider is set up.
const provider = { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'feed', OIDC_CLIENT_SECRET: 'secret' }
const service = await runService({ ...limits, ...provider })
const people = await createPeople(service)

type Caller = Role | 'stranger' | 'anonymous'
const CALLERS: Caller[] = [...ROLES, 'stranger', 'anonymous']
type Visibility = (typeof VISIBILITIES)[number]

const ID = crypto.randomUUID()
const valuesOf = ({ workspace_id, channel_id, slug }: Team) => ({
  id: workspace_id,
  channelId: channel_id,
  slug,
  page: '0',
  key: 'k',
  cardId: ID,
  actionId: ID,
  interactionId: ID,
  deliveryId: ID,
  decisionId: ID,
  inviteId: ID,
  keyId: ID,
  userId: ID,
})

type How = 'session' | 'key'
const headersOf = (caller: Caller, how: How): Record<string, string> => {
  if (caller === 'anonymous') return {}
  return how === 'session'
    ? { Cookie: people[caller].cookie }
    : { Authorization: `Bearer ${people[caller].api_key}` }
}

async function statusOf(
  how: How,
  route: string,
  { body, query = '' }: Row,
  team: Team,
  caller: Caller,
  visibility: Visibility,
) {
  const [method = '', path = ''] = route.split(' ')
  const values = { ...valuesOf(team), visibility }
  const url = `${service.url}/api${how === 'key' ? '/v1' : ''}${fillPath(path + query, values)}`
  // An event stream would stay open.
  const asked = path.endsWith('/events') ? 'HEAD' : method
  const response = await fetch(url, {
    method: asked,
    headers: { ...headersOf(caller, how), 'Content-Type': 'application/json' },
    ...(!['GET', 'HEAD'].includes(asked) && {
      body: body ? fillPath(body, values) : '{',
    }),
  })
  await response.arrayBuffer()
  return response.status
}

function expected({ least, vis }: Right, caller: Caller, visibility: Visibility): 'allowed' | 401 | 403 {
  if (vis && visibility === 'public') return 'allowed'
  if (caller === 'anonymous') return 401
  if (caller !== 'stranger') return ROLES.indexOf(caller) <= ROLES.indexOf(least) ? 'allowed' : 403
  return vis && visibility === 'protected' ? 401 : 403
}

/** What the matrix says, and what the service does. */
async function drive(how: How, route: string, row: Row, team: Team, visibility: Visibility) {
  const cells: [Caller, string | number][] = []
  const wanted: [Caller, string | number][] = []
  for (const caller of CALLERS) {
    const at = row.fresh ? await freshTeam(route, team, visibility) : team
    const status = await statusOf(how, route, row, at, caller, visibility)
    cells.push([caller, status === 401 || status === 403 ? status : status < 500 ? 'allowed' : status])
    wanted.push([caller, expected(row.right, caller, visibility)])
  }
  expect(Object.fromEntries(cells)).toEqual(Object.fromEntries(wanted))
}

async function freshTeam(route: string, team: Team, visibility: Visibility): Promise<Team> {
  if (!route.includes('channel')) return teamOf(visibility)
  return { ...team, channel_id: await createChannel({ ...team.owner, workspace_id: team.workspace_id }) }
}

async function teamOf(visibility: Visibility): Promise<Team> {
  const team = await createTeam(people)
  const body = visibility === 'protected' ? { visibility, password: PASSWORD } : { visibility }
  await team.owner.session('PATCH', `/workspaces/${team.workspace_id}`, body)
  return team
}

describe.each(VISIBILITIES)('a %s workspace', visibility => {
  let team: Team
  beforeAll(async () => {
    team = await teamOf(visibility)
  })

  test.each(ROWS)('%s, with a session: %o', (route, row) => drive('session', route, row, team, visibility))

  test.each(KEY_ROWS)('%s, with a key: %o', (route, row) => drive('key', route, row, team, visibility))

  test('sockets open for whom the page does', async () => {
    for (const at of [`/sync/${team.channel_id}`, livePath(team.slug)])
      for (const caller of CALLERS) {
        const status = await upgradeStatus(service.url, at, headersOf(caller, 'session'))
        const right = expected(sees, caller, visibility)
        expect([at, caller, status]).toEqual([at, caller, right === 'allowed' ? 101 : right])
      }
  })

  test('a socket with a key opens for those who run the channel, and for any valid key if it is public', async () => {
    for (const caller of CALLERS.filter(caller => caller !== 'anonymous')) {
      const at = `/sync/${team.channel_id}?token=${people[caller].api_key}`
      const runs = visibility === 'public' || caller === 'owner' || caller === 'editor'
      const refused = visibility === 'protected' ? 401 : 403
      expect([caller, await upgradeStatus(service.url, at)]).toEqual([caller, runs ? 101 : refused])
    }
  })
})

test.each(ANY_SESSION)('%s needs a session, and no role', async route => {
  const team = await teamOf('private')
  const someone = await createAccount(service)
  const as = (headers: Record<string, string>) => {
    const [method = '', path = ''] = route.split(' ')
    const sent = method === 'GET' ? {} : { body: '{' }
    return fetch(`${service.url}/api${fillPath(path, valuesOf(team))}`, { method, headers, ...sent })
  }
  const json = { 'Content-Type': 'application/json' }
  expect((await as(json)).status).toBe(401)
  expect((await as({ ...json, Authorization: `Bearer ${someone.api_key}` })).status).toBe(401)
  expect([401, 403]).not.toContain((await as({ ...json, Cookie: someone.cookie })).status)
})

test.each(ANY_KEY)('%s needs a key, and no role', async route => {
  const [method = '', path = ''] = route.split(' ')
  const as = (headers: Record<string, string>) => fetch(`${service.url}/api/v1${path}`, { method, headers })
  expect((await as({})).status).toBe(401)
  expect((await as(headersOf('stranger', 'key'))).status).toBe(200)
})

test('every route has a row', () => {
  const rows = new Set([
    ...[...ROWS.map(([route]) => route), ...ANY_SESSION].map(route => route.replace(' ', ' /api')),
    ...[...KEY_ROWS.map(([route]) => route), ...ANY_KEY].map(route => route.replace(' ', ' /api/v1')),
  ])
  const missing = mountedRoutes(service)
    .filter(({ path }) => !OPEN.includes(path))
    .map(({ method, path }) => `${method} ${path}`)
    .filter(route => !rows.has(route))
  expect(missing).toEqual([])
})

// The identity of people who interact: the name only if they choose it, the email only if they have a role in the
// workspace.
import { beforeEach, describe, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { type LogEntry, settledLog } from '../support/deliveries.ts'
import { invalid } from '../support/errors.ts'
import { listenTo } from '../support/event-stream.ts'
import { fillPath, mountedRoutes, parametersOf } from '../support/mounted-routes.ts'
import { watchChannel } from '../support/pass.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { callTo } from '../support/service.ts'

type Person = Account & { name: string }
/** The fields of the dashboard's log that webhooks don't receive. */
type SeenEntry = LogEntry & {
  user: { id: string; name: string; email: string } | null
  by: { kind: string; name: string | null; user_id: string | null }
}

let scene: Scene

const receiver = await runReceiver()
const service = await runService()
const owner = await createPerson('Olga')
const stranger = await createPerson('Sam')
beforeEach(async () => {
  scene = await buildScene(service, { account: owner, webhook_url: receiver.url })
})

async function createPerson(name: string): Promise<Person> {
  const account = await createAccount(service)
  await account.session('PATCH', '/auth/account', { name })
  return { ...account, name }
}

/** The log entry of a click by this person. */
async function logged(person: Person | null, as?: string): Promise<Pick<SeenEntry, 'user' | 'by'>> {
  const trigger = { type: 'button_click', button_id: 'go' }
  const headers = person ? { Cookie: person.cookie } : undefined
  const { status } = await scene.interact({ card_id: scene.card_id, trigger, ...(as && { as }) }, headers)
  expect(status).toBe(201)
  return newest()
}

async function newest(): Promise<Pick<SeenEntry, 'user' | 'by'>> {
  const path = `/channels/${scene.channel_id}/interactions?limit=1`
  const { body } = await owner.session<{ interactions: SeenEntry[] }>('GET', path)
  const [entry] = body.interactions
  if (!entry) throw new Error('the log is empty')
  return { user: entry.user, by: entry.by }
}

const nobody = { user: null, by: { kind: 'anonymous', name: null, user_id: null } }

describe('the log', () => {
  test("the owner's name and email are in the log", async () => {
    const { user_id: id, name, email } = owner
    const shown = { user: { id, name, email }, by: { kind: 'owner', name, user_id: id } }
    expect(await logged(owner)).toStrictEqual(shown)
    expect(await logged(owner, 'me')).toStrictEqual(shown)
  })

  test('the owner is anonymous on request', async () => {
    expect(await logged(owner, 'anonymous')).toStrictEqual(nobody)
  })

  test('a person without a role is anonymous', async () => {
    expect(await logged(stranger)).toStrictEqual(nobody)
    expect(await logged(stranger, 'anonymous')).toStrictEqual(nobody)
  })

  test('a person without a role has a name on request, but no email', async () => {
    const { user_id, name } = stranger
    expect(await logged(stranger, 'me')).toStrictEqual({ user: null, by: { kind: 'user', name, user_id } })
  })

  test.each([undefined, 'me', 'anonymous'])('without a session, as: %s is anonymous', async as => {
    expect(await logged(null, as)).toStrictEqual(nobody)
  })

  test('interactions from before this choice existed have the name', async () => {
    await logged(stranger, 'me')
    await service.sql`
      update interactions set anonymous = default where channel_id = ${scene.channel_id}`
    const { user_id, name } = stranger
    expect(await newest()).toStrictEqual({ user: null, by: { kind: 'user', name, user_id } })
  })

  test('the account behind an anonymous interaction is stored, and deleted with the account', async () => {
    const leaver = await createPerson('Lea')
    await logged(leaver)
    const stored = () => service.sql<{ user_id: string | null }[]>`
      select user_id from interactions where channel_id = ${scene.channel_id}`
    expect(await stored()).toEqual([{ user_id: leaver.user_id }])
    await service.sql`delete from users where id = ${leaver.user_id}`
    expect(await stored()).toEqual([{ user_id: null }])
    expect(await newest()).toStrictEqual(nobody)
  })
})

test.each(['you', '', null, 1])('as: %j returns 400', async as => {
  const response = await scene.interact({ trigger: { type: 'reply', text: 'hello' }, as })
  expect(response).toMatchObject(invalid('as must be one of me, anonymous'))
})

test("the view says how the viewer's interactions are named", async () => {
  const you = async (headers: Record<string, string>) => {
    const { body } = await callTo(`${service.url}/api`, headers)('GET', `/channels/${scene.channel_id}/view`)
    return body.you
  }
  expect(await you({})).toStrictEqual({ kind: 'anonymous', name: null })
  expect(await you({ Cookie: stranger.cookie })).toStrictEqual({ kind: 'user', name: stranger.name })
  expect(await you({ Cookie: owner.cookie })).toStrictEqual({ kind: 'owner', name: owner.name })
})

describe('the email of a stranger', () => {
  /** Every GET route, but the event stream, which never ends. */
  async function paths(): Promise<string[]> {
    const parameters = await parametersOf(scene)
    return mountedRoutes(service)
      .filter(({ method, path }) => method === 'GET' && !path.endsWith('/events'))
      .map(({ path }) => `${fillPath(path, parameters)}?workspace_id=${parameters.id}&slug=x`)
  }

  test.each([
    ['by name', 'me', true],
    ['anonymously', 'anonymous', false],
  ])('the email of a stranger is sent nowhere: %s', async (_, as, named) => {
    const before = receiver.received.length
    const listener = await listenTo(service.url, owner.api_key, scene.channel_id)
    const viewer = await watchChannel(service.url, scene.channel_id, owner.api_key)
    await logged(stranger, as)
    await settledLog(scene)
    const { data } = await listener.next()
    const sent = [
      ['event stream', JSON.stringify(data)],
      ['document', JSON.stringify(viewer.doc.toJSON())],
      ...receiver.received
        .slice(before)
        .map(({ body, headers }) => ['webhook', body + JSON.stringify(headers)]),
    ]
    expect(sent.length).toBeGreaterThan(2)
    const as_owner = { Cookie: owner.cookie, Authorization: `Bearer ${owner.api_key}` }
    for (const path of await paths()) {
      for (const headers of [as_owner, {}]) {
        const response = await fetch(service.url + path, { headers })
        if (headers === as_owner) expect([path, response.status < 500]).toEqual([path, true])
        sent.push([path, (await response.text()) + JSON.stringify([...response.headers])])
      }
    }
    const places = (text: string) => sent.filter(([, all = '']) => all.includes(text)).map(([place]) => place)
    const log = `/api/channels/${scene.channel_id}/interactions`
    expect(places(stranger.email)).toEqual([])
    const onlyLog = [expect.stringContaining(`${log}?`)]
    expect(places(stranger.name)).toEqual(named ? onlyLog : [])
    expect(places(stranger.user_id)).toEqual(named ? onlyLog : [])
  })
})

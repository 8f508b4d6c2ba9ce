// Who may send interactions to a channel: everyone who may see it, from our own pages.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { buildScene, PASSWORD, type Refusal, type Scene } from '../support/scene.ts'
import { caller, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let stranger: Account
const scenes: Record<string, Scene> = {}
let unlock_cookie: string

beforeAll(async () => {
  service = await startTestService()
  stranger = await createAccount(service)
  for (const visibility of ['public', 'protected', 'private'] as const)
    scenes[visibility] = await buildScene(service, { visibility })
  const { headers } = await caller(`${service.url}/api`)('POST', '/channel-unlock', {
    channel_id: sceneOf('protected').channel_id,
    password: PASSWORD,
  })
  unlock_cookie = headers.get('Set-Cookie')?.split(';')[0] ?? ''
})
afterAll(() => service.stop())

function sceneOf(visibility: string): Scene {
  const scene = scenes[visibility]
  if (!scene) throw new Error(`no scene for ${visibility}`)
  return scene
}

const reply = { trigger: { type: 'reply', text: 'hello' } }

test.each([
  ['public', 'anonymous', 201, undefined],
  ['public', 'unrelated', 201, undefined],
  ['public', 'owning', 201, undefined],
  ['protected', 'anonymous', 401, 'Password required'],
  ['protected', 'unrelated', 401, 'Password required'],
  ['protected', 'unlocked', 201, undefined],
  ['protected', 'owning', 201, undefined],
  ['private', 'anonymous', 401, 'Unauthorized'],
  ['private', 'unrelated', 403, 'Access denied'],
  ['private', 'unlocked', 401, 'Unauthorized'],
  ['private', 'owning', 201, undefined],
])('a %s channel returns to %s viewers %i', async (visibility, viewer, status, error) => {
  const scene = sceneOf(visibility)
  const cookies: Record<string, string | undefined> = {
    anonymous: undefined,
    unrelated: stranger.cookie,
    unlocked: unlock_cookie,
    owning: scene.account.cookie,
  }
  const cookie = cookies[viewer]
  const response = await scene.act<Refusal>(reply, cookie ? { Cookie: cookie } : {})
  expect(response.status).toBe(status)
  expect(response.body.error).toBe(error)
  if (error === 'Password required')
    expect(response.body).toStrictEqual({ error, workspace_id: scene.account.workspace_id })
})

test('an API key gives no access: the route is for viewers', async () => {
  const { act, account } = sceneOf('private')
  expect((await act(reply, { Authorization: `Bearer ${account.api_key}` })).status).toBe(401)
})

test('only pages of our own origin may send interactions', async () => {
  const { act } = sceneOf('public')
  const from = (Origin: string) => act<Refusal>(reply, { Origin })
  for (const origin of ['https://evil.example', 'null', 'http://localhost:1'])
    expect(await from(origin)).toMatchObject({ status: 403, body: { error: 'Access denied' } })
  expect((await from(service.url)).status).toBe(201)
})

test('access is checked before the body', async () => {
  expect((await sceneOf('private').act({ trigger: 1 })).status).toBe(401)
})

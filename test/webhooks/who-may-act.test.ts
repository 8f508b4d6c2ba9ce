// Who may act in a channel: whoever may see it, from our own pages.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Account, createAccount } from '../support/account.ts'
import { buildScene, PASSWORD, type Refusal, type Scene } from '../support/scene.ts'
import { caller, startTestService, type TestService } from '../support/service.ts'

let service: TestService
let stranger: Account
const scenes: Record<string, Scene> = {}
const unlocked: Record<string, string> = {}

beforeAll(async () => {
  service = await startTestService()
  stranger = await createAccount(service)
  for (const visibility of ['public', 'protected', 'private'] as const)
    scenes[visibility] = await buildScene(service, { visibility })
  const { headers } = await caller(`${service.url}/api`)('POST', '/channel-unlock', {
    channel_id: sceneOf('protected').channel_id,
    password: PASSWORD,
  })
  unlocked.protected = headers.get('Set-Cookie')?.split(';')[0] ?? ''
})
afterAll(() => service.stop())

function sceneOf(visibility: string): Scene {
  const scene = scenes[visibility]
  if (!scene) throw new Error(`no scene for ${visibility}`)
  return scene
}

const reply = { trigger: { type: 'reply', text: 'hello' } }

describe.each([
  ['public', 'nobody', 201, undefined],
  ['public', 'stranger', 201, undefined],
  ['public', 'owner', 201, undefined],
  ['protected', 'nobody', 401, 'Password required'],
  ['protected', 'stranger', 401, 'Password required'],
  ['protected', 'unlocked', 201, undefined],
  ['protected', 'owner', 201, undefined],
  ['private', 'nobody', 401, 'Unauthorized'],
  ['private', 'stranger', 403, 'Access denied'],
  ['private', 'unlocked', 401, 'Unauthorized'],
  ['private', 'owner', 201, undefined],
])('in a %s channel %s', (visibility, who, status, error) => {
  test(`gets ${status}`, async () => {
    const scene = sceneOf(visibility)
    const cookies: Record<string, string | undefined> = {
      nobody: undefined,
      stranger: stranger.cookie,
      unlocked: unlocked.protected,
      owner: scene.account.cookie,
    }
    const cookie = cookies[who]
    const answer = await scene.act<Refusal>(reply, cookie ? { Cookie: cookie } : {})
    expect(answer.status).toBe(status)
    expect(answer.body.error).toBe(error)
    if (error === 'Password required')
      expect(answer.body).toStrictEqual({ error, workspace_id: scene.account.workspace_id })
  })
})

test('a key opens nothing here: the route is for viewers', async () => {
  const { act, account } = sceneOf('private')
  expect((await act(reply, { Authorization: `Bearer ${account.api_key}` })).status).toBe(401)
})

test('a page of another origin is refused, our own is not', async () => {
  const { act } = sceneOf('public')
  const from = (Origin: string) => act<Refusal>(reply, { Origin })
  for (const origin of ['https://evil.example', 'null', 'http://localhost:1'])
    expect(await from(origin)).toMatchObject({ status: 403, body: { error: 'Access denied' } })
  expect((await from(service.url)).status).toBe(201)
})

test('access is judged before the body', async () => {
  expect((await sceneOf('private').act({ trigger: 1 })).status).toBe(401)
})

// Everyone who may see a channel may send interactions to it, from our own pages.
import { expect, test } from 'vitest'
import { createAccount, unlock } from '../support/account.ts'
import { denied } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene, PASSWORD, type Refusal } from '../support/scene.ts'

const service = await runService()
const stranger = await createAccount(service)
const scenes = {
  public: await buildScene(service),
  protected: await buildScene(service, { visibility: 'protected' }),
  private: await buildScene(service, { visibility: 'private' }),
}
const { workspace_id } = scenes.protected.account
const unlock_cookie = await unlock(service, { workspace_id, password: PASSWORD })

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
] as const)('a %s channel returns to %s viewers %i', async (visibility, viewer, status, error) => {
  const scene = scenes[visibility]
  const cookies = { unrelated: stranger.cookie, unlocked: unlock_cookie, owning: scene.account.cookie }
  const cookie = viewer === 'anonymous' ? null : cookies[viewer]
  const { body, ...response } = await scene.act<Refusal>(reply, cookie ? { Cookie: cookie } : {})
  expect(response.status).toBe(status)
  expect(body.error).toBe(error)
  const { workspace_id } = scene.account
  if (error === 'Password required') expect(body).toStrictEqual({ error, workspace_id })
})

test('an API key gives no access: the route is for viewers', async () => {
  const { act, account } = scenes.private
  expect((await act(reply, { Authorization: `Bearer ${account.api_key}` })).status).toBe(401)
})

test('only pages of our own origin may send interactions', async () => {
  const { act } = scenes.public
  const from = (Origin: string) => act<Refusal>(reply, { Origin })
  for (const origin of ['https://evil.example', 'null', 'http://localhost:1'])
    expect(await from(origin)).toMatchObject(denied)
  expect((await from(service.url)).status).toBe(201)
})

test('access is checked before the body', async () => {
  expect((await scenes.private.act({ trigger: 1 })).status).toBe(401)
})

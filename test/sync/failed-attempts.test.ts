// Wrong passwords count for the whole service, on all instances.
import { expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { patchWorkspace } from '../support/channels.ts'
import { type Call, caller, type TestService } from '../support/service.ts'
import { startInstances } from './start-instances.ts'

const env = { TRUST_PROXY: '1' }
const { here, there } = await startInstances(env)

let address = 0
/** Calls to an instance, each from another address. */
const at =
  ({ url }: TestService): Call =>
  (method, path, body) =>
    caller(`${url}/api`, { 'X-Forwarded-For': `192.0.2.${++address}` })(method, path, body)

/** Five wrong passwords on each instance return `status`. Then both reject even the right one. */
async function expectShared(path: string, right: object, wrong: object, status: number): Promise<void> {
  for (let i = 0; i < 5; i++)
    for (const instance of [here, there])
      expect((await at(instance)('POST', path, wrong)).status).toBe(status)
  for (const instance of [here, there])
    expect(await at(instance)('POST', path, right)).toMatchObject({
      status: 429,
      body: { error: 'Too many failed attempts' },
    })
}

test('five wrong passwords for an account on each of two instances throttle it on both', async () => {
  const ann = await createAccount(here)
  const { body } = await ann.session<{ user: { email: string } }>('GET', '/auth/get-session')
  const { email } = body.user
  await expectShared(
    '/auth/sign-in/email',
    { email, password: 'correct horse' },
    { email, password: 'wrong' },
    401,
  )
})

test('five wrong passwords for a workspace on each of two instances throttle it on both', async () => {
  const ann = await createAccount(here)
  const { workspace_id } = ann
  await patchWorkspace(ann, { visibility: 'protected', password: 'open sesame' })
  await expectShared(
    '/channel-unlock',
    { workspace_id, password: 'open sesame' },
    { workspace_id, password: 'wrong' },
    403,
  )
})

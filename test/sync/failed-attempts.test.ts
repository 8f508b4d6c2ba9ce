// Wrong passwords count for the whole service, on all instances.
import { expect, test } from 'vitest'
import { createAccount, OWN_PASSWORD } from '../support/account.ts'
import { patchWorkspace } from '../support/channels.ts'
import { failed } from '../support/errors.ts'
import { runInstances } from '../support/running.ts'
import { PASSWORD } from '../support/scene.ts'
import { type Call, caller, type TestService } from '../support/service.ts'

const { here, there } = await runInstances({ TRUST_PROXY: '1' })

let address = 0
/** Calls to an instance, each from another address. */
const at =
  ({ url }: TestService): Call =>
  (method, path, body) =>
    caller(`${url}/api`, { 'X-Forwarded-For': `192.0.2.${++address}` })(method, path, body)

/** Five wrong passwords on each instance return `status`. Then both reject even the right one. */
async function expectShared(path: string, fields: object, password: string, status: number): Promise<void> {
  for (let i = 0; i < 5; i++)
    for (const instance of [here, there])
      expect((await at(instance)('POST', path, { ...fields, password: 'wrong' })).status).toBe(status)
  for (const instance of [here, there])
    expect(await at(instance)('POST', path, { ...fields, password })).toMatchObject(
      failed(429, 'Too many failed attempts'),
    )
}

test('five wrong passwords for an account on each of two instances throttle it on both', async () => {
  const { email } = await createAccount(here)
  await expectShared('/auth/sign-in/email', { email }, OWN_PASSWORD, 401)
})

test('five wrong passwords for a workspace on each of two instances throttle it on both', async () => {
  const ann = await createAccount(here)
  await patchWorkspace(ann, { visibility: 'protected', password: PASSWORD })
  await expectShared('/channel-unlock', { workspace_id: ann.workspace_id }, PASSWORD, 403)
})

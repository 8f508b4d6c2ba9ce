// SIGKILL of an instance right after it acknowledged a revocation whose notices were lost.
import { afterAll, expect, test } from 'vitest'
import { createAccount, createTestKey, withKey } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { loseNotices } from '../support/database.ts'
import { listenTo } from '../support/event-stream.ts'
import { enter } from '../support/pass.ts'
import { runDatabase } from '../support/running.ts'
import { startInstance } from '../support/server.ts'
import { callTo } from '../support/service.ts'
import { until } from '../support/viewer.ts'

const database = await runDatabase()
// The notice is sent a few milliseconds after the response, so the kill alone could come too late.
await loseNotices(database)
const doomed = await startInstance(database)
const survivor = await startInstance(database)
afterAll(async () => {
  await doomed.kill()
  await survivor.kill()
})

test('a key deleted on an instance that dies at once is rejected by the other, which closes its sockets and streams', async () => {
  const ann = await createAccount(doomed)
  const channel_id = await createChannel(ann)
  const { id, key } = await createTestKey(ann.session)
  const call = withKey(survivor.url, key)
  expect((await call('GET', `/channels/${channel_id}`)).status).toBe(200)
  const socket = await enter(survivor.url, channel_id, { token: key })
  const stream = await listenTo(survivor.url, key, channel_id)

  expect((await ann.session('DELETE', `/api-keys/${id}`)).status).toBe(204)
  await doomed.kill()

  await until(
    async () => (await call('GET', `/channels/${channel_id}`)).status === 401,
    'the key is rejected',
  )
  expect(await socket.closed).toBe(4401)
  await stream.ended
  expect(await callTo(survivor.url)('GET', '/readyz')).toMatchObject({ body: { other_instances: 'heard' } })
})

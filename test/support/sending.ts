// A service that stops or dies during a delivery.
import { afterTest } from './after-test.ts'
import { createTestDatabase } from './database.ts'
import { startReceiver } from './receiver.ts'
import { buildScene } from './scene.ts'
import { startTestService } from './service.ts'

/** The receiver has got the first reply and doesn't respond; the second reply waits. The test stops the service. */
export async function startSending(first: string, second: string) {
  const database = await createTestDatabase()
  afterTest(() => database.drop())
  const receiver = await startReceiver()
  afterTest(() => receiver.stop())
  receiver.behave({ kind: 'stall' })
  const service = await startTestService({}, { database })
  const scene = await buildScene(service, { webhook_url: receiver.url })
  for (const text of [first, second]) await scene.reply(text)
  await receiver.count(1)
  return { database, receiver, service, scene }
}

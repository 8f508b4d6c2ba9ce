// What the tests of a file share: started when the file loads, stopped after its last test.
import { afterAll } from 'vitest'
import { createAccount } from './account.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { startReceiver } from './receiver.ts'
import { startTestService, type TestService } from './service.ts'

export async function runService(...given: Parameters<typeof startTestService>): Promise<TestService> {
  const service = await startTestService(...given)
  afterAll(() => service.stop())
  return service
}

/** `ann` has an account with a workspace and a key. */
export async function runWithOwner(...given: Parameters<typeof startTestService>) {
  const service = await runService(...given)
  return { service, ann: await createAccount(service) }
}

/** A second instance on the same database. */
export const runInstance = (service: TestService, env: Record<string, string> = {}) =>
  runService(env, { database: service.database })

/** Two instances on one database. */
export async function runInstances(...[env, options]: Parameters<typeof startTestService>) {
  const here = await runService(env, options)
  return { here, there: await runService(env, { ...options, database: here.database }) }
}

export async function runDatabase(template?: string): Promise<TestDatabase> {
  const database = await createTestDatabase(template)
  afterAll(() => database.drop())
  return database
}

export async function runReceiver() {
  const receiver = await startReceiver()
  afterAll(() => receiver.stop())
  return receiver
}

// Two instances on one database, for all tests of a file.
import { afterAll } from 'vitest'
import type { TestDatabase } from '../support/database.ts'
import { startTestService } from '../support/service.ts'

export async function startInstances(env: Record<string, string> = {}, database?: TestDatabase) {
  const here = await startTestService(env, database && { database })
  const there = await startTestService(env, { database: here.database })
  afterAll(async () => {
    await there.stop()
    await here.stop()
  })
  return { here, there }
}

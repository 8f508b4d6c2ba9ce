// Two instances on one database, for all tests of a file.
import { afterAll } from 'vitest'
import { startTestService } from '../support/service.ts'

export async function startInstances(env: Record<string, string> = {}) {
  const here = await startTestService(env)
  const there = await startTestService(env, { database: here.database })
  afterAll(async () => {
    await there.stop()
    await here.stop()
  })
  return { here, there }
}

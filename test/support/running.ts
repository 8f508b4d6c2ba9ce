// A service for the tests of a file: started when the file loads, stopped after its last test.
import { afterAll } from 'vitest'
import { startTestService, type TestService } from './service.ts'

export async function runService(...given: Parameters<typeof startTestService>): Promise<TestService> {
  const service = await startTestService(...given)
  afterAll(() => service.stop())
  return service
}

/** A second instance on the same database. */
export const runInstance = (service: TestService, env: Record<string, string> = {}) =>
  runService(env, { database: service.database })

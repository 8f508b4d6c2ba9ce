// Runs once before the browser tests: unpacks the browser, and prepares the data with which the tests' servers start.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { makeTemplate } from '../../support/server.ts'
import { unpackChromium } from './chromium.ts'

declare module 'vitest' {
  interface ProvidedContext {
    server_template: string
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!process.env.CHROMIUM_PATH) await unpackChromium()
  const folder = await mkdtemp(join(tmpdir(), 'channel-feed-template-'))
  await chmod(folder, 0o755) // where root runs the tests, another user runs PostgreSQL
  await makeTemplate(folder)
  project.provide('server_template', folder)
  return () => rm(folder, { recursive: true, force: true })
}

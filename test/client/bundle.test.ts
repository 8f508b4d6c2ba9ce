// What a page loads that uses the package. Needs `npm run build:client`.
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'
import { BUILT_CLIENT, readManifest } from '../support/client-package.ts'

const DEPENDENCIES = Object.keys(readManifest(BUILT_CLIENT).dependencies)

/** `entry`: in lib/client. `external`: packages that stay outside. */
async function bundle(entry: string, external: string[]) {
  const built = await build({
    root: BUILT_CLIENT,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      modulePreload: false,
      target: 'es2022',
      rolldownOptions: {
        input: join(BUILT_CLIENT, 'lib/client', entry),
        external,
        preserveEntrySignatures: 'strict',
      },
    },
  })
  if (!('output' in built)) throw new Error('vite builds once')
  const chunks = built.output.flatMap(file => (file.type === 'chunk' ? [file] : []))
  return {
    bytes: chunks.reduce((sum, { code }) => sum + gzipSync(code).length, 0),
    names: chunks.map(({ fileName }) => fileName),
    imports: [...new Set(chunks.flatMap(({ imports }) => imports))],
    code: chunks.map(({ code }) => code).join('\n'),
  }
}

test('the client takes at most 10 KB, and imports no package before it needs one', async () => {
  const { bytes, names, imports, code } = await bundle('index.js', DEPENDENCIES)
  expect(bytes).toBeGreaterThan(1_000)
  expect(bytes).toBeLessThanOrEqual(10 * 1024)
  expect(imports.filter(name => !names.includes(name))).toEqual([])
  expect(code).not.toContain('node:')
  expect(code).toMatch(/import\(["'`]eventsource-parser["'`]\)/)
})

test('verifyDecision takes at most 20 KB with its packages', async () => {
  const { bytes, imports, code } = await bundle('verify.js', [])
  expect(bytes).toBeLessThanOrEqual(20 * 1024)
  expect(imports).toEqual([])
  expect(code).not.toContain('node:')
})

test('verifyWebhook needs nothing of Node', async () => {
  const { code } = await bundle('webhook.js', [])
  expect(code).not.toContain('node:')
})

// Mutants follow the source: their runs take minutes, so `npm run prove:mutants` does those.
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listMutants } from './build.ts'

const here = dirname(fileURLToPath(import.meta.url))
const mutants = await listMutants()

test.each(mutants)('the patch of $name applies and names the promise that it breaks', ({ name, promise }) => {
  expect(promise).toMatch(/^P\d+$/)
  const args = ['-p1', '--dry-run', '--silent', '-i', join(here, `${name}.patch`)]
  execFileSync('patch', args, { cwd: join(here, '../../..') })
})

test('there are mutants', () => expect(mutants).not.toEqual([]))

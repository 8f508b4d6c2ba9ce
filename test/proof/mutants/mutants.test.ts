// Mutants follow the source: their runs take minutes, so `npm run prove:mutants` does those.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { patched } from '../../support/source-patch.ts'
import { CHECKERS } from '../check/check.ts'
import { listMutants } from './build.ts'

const here = dirname(fileURLToPath(import.meta.url))
const mutants = await listMutants()

test.each(mutants)(
  'the patch of $name applies and names the checker and the promise that it breaks',
  async ({ name, checker, promise }) => {
    expect(Object.keys(CHECKERS)).toContain(checker)
    expect(promise).toMatch(/^[PD]\d+$/)
    await patched(join(here, `${name}.patch`), join(here, '../../..'))
  },
)

test('there are mutants', () => expect(mutants).not.toEqual([]))

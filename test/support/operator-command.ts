// The commands that an operator runs with `npm run`, from their sources.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { root } from '../database/folder.ts'

type Result = { code: number; stdout: string; stderr: string }

/** Runs it with these variables and no others that matter. */
export function commandOf(name: string) {
  return async (env: Record<string, string>, ...args: string[]): Promise<Result> => {
    const command = ['--import', 'tsx', `server/${name}.ts`, name, ...args]
    const unset = { DATABASE_URL: '', SIGNING_KEY: '' }
    const settings = { POSTGRES_PACKAGE: process.env.TEST_POSTGRES_PACKAGE ?? '', ...unset, ...env }
    const done = promisify(execFile)(process.execPath, command, {
      cwd: root,
      env: { ...process.env, ...settings },
    })
    return await done.then(
      result => ({ code: 0, ...result }),
      ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
    )
  }
}

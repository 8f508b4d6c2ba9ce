// The project that this code belongs to: its folder and its version.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

/** Seen from server/ and from dist/server/. */
const root = new URL(import.meta.url.endsWith('.js') ? '../../' : '../', import.meta.url)

/** The path of a file or folder in the project. */
export const projectPath = (name: string) => fileURLToPath(new URL(name, root))

export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(projectPath('package.json'), 'utf8')))

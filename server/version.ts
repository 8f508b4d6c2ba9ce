// The version of the service.
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** At the project's root, seen from server/ and from dist/server/. */
const path = import.meta.url.endsWith('.js') ? '../../package.json' : '../package.json'

export const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')))

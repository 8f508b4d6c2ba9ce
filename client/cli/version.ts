// The release of this package.
import { readFileSync } from 'node:fs'
import { z } from 'zod'

/** Seen from the package's lib/client/cli/, and from client/cli/. */
const path = import.meta.url.endsWith('.js') ? '../../../package.json' : '../../package.json'

export const packageVersion = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))).version

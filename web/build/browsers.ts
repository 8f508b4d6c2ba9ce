// The oldest browsers that the pages work in, from `browserslist` in package.json. README.md names them too.
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const FILE = new URL('../../package.json', import.meta.url)
const Package = z.object({ browserslist: z.array(z.string().regex(/^\w+ >= \d+$/)) })

/** `name`: in lower case, as the build spells it. */
export function oldestBrowsers(): { name: string; version: number }[] {
  const { browserslist } = Package.parse(JSON.parse(readFileSync(FILE, 'utf8')))
  return browserslist.map(line => {
    const [name = '', version] = line.toLowerCase().split(' >= ')
    return { name, version: Number(version) }
  })
}

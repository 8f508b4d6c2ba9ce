// Cuts the app's fonts from their packages, with the letters and weights that styles/fonts.css names.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import subsetFont from 'subset-font'
import type { Plugin } from 'vite'

const STYLES = fileURLToPath(new URL('../styles/fonts.css', import.meta.url))
const FOLDER = fileURLToPath(new URL('../../dist/fonts/', import.meta.url))
const INTER = '@fontsource-variable/inter/files/inter-'
const SOURCES: Record<string, string> = {
  inter: `${INTER}latin-wght-normal.woff2`,
  'inter-ext': `${INTER}latin-ext-wght-normal.woff2`,
  'jetbrains-mono': '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
}
/** Kerning, the placement of accents, and digits of one width; alternative letters would double the size. */
const FEATURES = ['kern', 'ccmp', 'mark', 'mkmk', 'locl', 'tnum']

export function fontsPlugin(): Plugin {
  return {
    name: 'fonts',
    async buildStart() {
      await mkdir(FOLDER, { recursive: true })
      const faces = (await readFile(STYLES, 'utf8')).split('@font-face')
      await Promise.all(Object.keys(SOURCES).map(name => cut(name, faces)))
    },
  }
}

async function cut(name: string, faces: string[]): Promise<void> {
  const face = faces.find(text => text.includes(`/${name}.woff2`))
  if (face === undefined) throw new Error(`fonts.css must name ${name}.woff2`)
  const source = createRequire(import.meta.url).resolve(SOURCES[name] ?? name)
  const [min, max] = propertyOf(face, 'font-weight').trim().split(' ').map(Number)
  const wght = max === undefined ? (min ?? 400) : { min: min ?? 400, max }
  const font = await subsetFont(await readFile(source), lettersOf(propertyOf(face, 'unicode-range')), {
    targetFormat: 'woff2',
    keepFeatures: FEATURES,
    noHinting: true,
    variationAxes: { wght },
  })
  await writeFile(`${FOLDER}${name}.woff2`, font)
}

const propertyOf = (face: string, property: string) => face.split(`${property}:`)[1]?.split(';')[0] ?? ''

/** `range`: as in CSS, such as `U+0020-007E, U+20AC`. */
export function lettersOf(range: string): string {
  return range
    .split(',')
    .flatMap(part => {
      const [from = 0, to = from] = part
        .trim()
        .replace('U+', '')
        .split('-')
        .map(hex => Number.parseInt(hex, 16))
      return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i))
    })
    .join('')
}

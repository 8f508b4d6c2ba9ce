// Tells the service worker which files the build wrote, and names their version by a hash over all of them.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import type { Plugin } from 'vite'

const WORKER = 'sw.js'
/** What an owner loads where it is wanted, online: not for every viewer to keep. */
const LATE = /^emoji-picker-/

export function precachePlugin(): Plugin {
  return {
    name: 'precache',
    apply: 'build',
    writeBundle({ dir }) {
      if (dir === undefined) throw new Error('the web build writes to a folder')
      const files = readdirSync(dir, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile() && entry.name !== WORKER && !entry.name.endsWith('.map'))
        .filter(entry => !LATE.test(entry.name))
        .map(entry => join(entry.parentPath, entry.name).slice(dir.length + 1))
        .sort()
      const hash = createHash('sha256')
      for (const file of files) hash.update(file).update(readFileSync(join(dir, file)))
      const version = hash.digest('hex').slice(0, 16)
      const paths = files.map(file => `/${file.split(sep).join('/')}`)
      const worker = join(dir, WORKER)
      const facts = `const __PRECACHE__=${JSON.stringify(paths)},__VERSION__=${JSON.stringify(version)};\n`
      writeFileSync(worker, facts + readFileSync(worker, 'utf8'))
    },
  }
}

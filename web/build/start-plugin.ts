// Inlines start.js into the page, because a separate file would arrive too late to save time. The server's
// Content-Security-Policy allows it by its hash.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { minify, type Plugin } from 'vite'

const TAG = '<script src="/start.js"></script>'

export function startPlugin(): Plugin {
  return {
    name: 'start',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(html) {
        const file = fileURLToPath(new URL('../start.js', import.meta.url))
        const { code, errors } = await minify(file, await readFile(file, 'utf8'), { module: false })
        if (errors.length > 0) throw new Error(errors[0]?.message)
        if (!html.includes(TAG)) throw new Error(`index.html must contain ${TAG}`)
        return html.replace(TAG, () => `<script>${code.trim()}</script>`)
      },
    },
  }
}

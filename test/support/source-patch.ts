// Patches of our own sources: deliberate mistakes, and fixes that are undone.
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { applyPatch, parsePatch } from 'diff'

/** What the patch makes of the files below `folder`: path → text. Throws if it doesn't apply. */
export async function patched(file: string, folder: string): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  for (const change of parsePatch(await readFile(file, 'utf8'))) {
    const path = change.newFileName?.replace(/^b\//, '') ?? ''
    // As `patch` does, lines of the context may have changed.
    const text = applyPatch(await readFile(join(folder, path), 'utf8'), change, { fuzzFactor: 2 })
    if (text === false) throw new Error(`${file} doesn't apply to ${path}`)
    texts.set(path, text)
  }
  if (texts.size === 0) throw new Error(`${file} changes no file`)
  return texts
}

export async function applySourcePatch(file: string, folder: string): Promise<void> {
  for (const [path, text] of await patched(file, folder)) await writeFile(join(folder, path), text)
}

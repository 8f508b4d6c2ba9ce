// The script of test/runtimes/every-runtime.js, and what it returns if a runtime can do everything.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const script = fileURLToPath(new URL('../runtimes/every-runtime.js', import.meta.url))
export const EVERY_RUNTIME = readFileSync(script, 'utf8')

export type Place = { url: string; key: string; channel: string; issuer: string }

export const EVERYTHING = {
  status: 'success',
  choice: 'Deploy',
  approved: true,
  events: ['card.updated', 'decision.waiting', 'decision.decided'],
  listed: true,
  verified: 'Deploy',
}

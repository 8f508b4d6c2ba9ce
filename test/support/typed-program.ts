// A program that uses what the types of the package promise, for compilers to check.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export const RESOLUTIONS = ['nodenext', 'bundler'] as const

/** A compiler takes half a minute on a busy machine. */
export const COMPILER_MS = 180_000

/** What the compiler says about the program. `folder`: with the package installed. */
export function findingsOf(tsc: string, folder: string, resolution: (typeof RESOLUTIONS)[number]): string {
  const own = mkdtempSync(join(folder, 'types-'))
  writeFileSync(join(own, 'program.ts'), PROGRAM)
  const module = resolution === 'nodenext' ? 'nodenext' : 'esnext'
  const compilerOptions = {
    noEmit: true,
    strict: true,
    target: 'es2022',
    lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
    module,
    moduleResolution: resolution,
    types: [],
    // Once is enough to check the types of the package itself, and it takes long.
    skipLibCheck: resolution === 'bundler',
  }
  writeFileSync(join(own, 'tsconfig.json'), JSON.stringify({ compilerOptions }))
  const { stdout, stderr } = spawnSync(process.execPath, [tsc], { cwd: own, encoding: 'utf8' })
  return stdout + stderr
}

const PROGRAM = `
import { ChannelFeed, DecisionExpired, type FullDecision } from 'channel-feed'
import { verifyWebhook } from 'channel-feed/webhook'
const feed = new ChannelFeed({ url: 'http://localhost:3000', key: 'cf_x', fetch }).channel('c')
const { choice, by } = await feed.ask({ question: 'Deploy?', choices: ['Deploy', { id: 'no', label: 'Not now' }] })
const id: 'Deploy' | 'no' = choice
const name: string | null = by.name
// @ts-expect-error There is no such choice.
if (choice === 'Never') throw new Error()
for await (const card of feed.cards({ limit: 5 })) card.blocks.map(({ type }) => type)
for await (const event of feed.events()) {
  if (event.type === 'decision.decided') { const decision: FullDecision = event.data; decision.choices }
  // @ts-expect-error A deleted card has no blocks.
  if (event.type === 'card.deleted') event.data.blocks
}
// @ts-expect-error A card has blocks.
await feed.push({ status: 'success' })
const pushed = await feed.push([{ type: 'text', content: id + name }])
pushed.decisions?.[0]?.url
const { trigger } = await verifyWebhook(new Request('http://x'), 'whsec_x')
if (trigger.type === 'reply') trigger.text.trim()
try { await feed.confirm('Sure?') } catch (error) { if (error instanceof DecisionExpired) error.decision?.state }
`

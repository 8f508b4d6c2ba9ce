// The step `ask` of a workflow, as the runner of GitHub Actions starts it: a process with variables and files.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import type { Account } from './account.ts'
import { createChannel } from './channels.ts'
import { NODE_24 } from './page-blocks.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A copy as the runner checks it out: it has no packages. */
const checkout = mkdtempSync(join(tmpdir(), 'channel-feed-checkout-'))
for (const path of ['package.json', 'action', 'client', 'shared'])
  cpSync(join(root, path), join(checkout, path), { recursive: true })
process.on('exit', () => rmSync(checkout, { recursive: true, force: true }))
const main = join(checkout, 'action/main.ts')

/** The program and arguments for each. The runner has Node 24, which test/runtimes/ installs. */
export const RUNTIMES = [
  {
    name: 'tsx',
    command: [process.execPath, '--import', createRequire(import.meta.url).resolve('tsx'), main],
  },
  ...(NODE_24 === null ? [] : [{ name: 'Node 24', command: [NODE_24, main] }]),
]

/** Of a question in a channel of its own. */
export async function stepInputs(
  { url }: { url: string },
  account: Account,
  more: Record<string, string> = {},
) {
  const channel = await createChannel(account, { mode: 'interactive' })
  return { url, key: account.api_key, channel, question: 'Deploy v42?', ...more }
}

const MASK = /^::add-mask::.*\n/

/** As the runner sets them. */
const GITHUB = {
  GITHUB_SERVER_URL: 'https://github.com',
  GITHUB_REPOSITORY: 'ann/shop',
  GITHUB_REF_NAME: 'main',
  GITHUB_SHA: 'ffac537e6cbbf934b08745a378932722df287a53',
  GITHUB_WORKFLOW: 'Release',
  GITHUB_ACTOR: 'ann',
  GITHUB_RUN_ID: '42',
}

export type StepRun = {
  process: ChildProcess
  /** The line that masks the key. The runner shows it to nobody. */
  mask: () => string
  /** What the step printed so far, without that line. */
  printed: () => string
  outputs: () => Record<string, string>
  summary: () => string
  /** Resolves with the exit code. */
  ended: Promise<number | null>
}

/** Inputs by their name in action.yml. */
export function startStep(
  inputs: Record<string, string>,
  [program = '', ...args] = RUNTIMES[0]?.command ?? [],
): StepRun {
  const folder = mkdtempSync(join(tmpdir(), 'channel-feed-action-'))
  const files = { GITHUB_OUTPUT: join(folder, 'output'), GITHUB_STEP_SUMMARY: join(folder, 'summary') }
  for (const file of Object.values(files)) writeFileSync(file, '')
  const variables = Object.entries(inputs).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, TZ: 'UTC', ...GITHUB, ...files, ...Object.fromEntries(variables) },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', chunk => {
      text += chunk
    })
  const ended = once(child, 'close').then(() => child.exitCode)
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
    rmSync(folder, { recursive: true })
  })
  return {
    process: child,
    mask: () => MASK.exec(text)?.[0] ?? '',
    printed: () => text.replace(MASK, ''),
    outputs: () => readOutputs(readFileSync(files.GITHUB_OUTPUT, 'utf8')),
    summary: () => readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'),
    ended,
  }
}

/** As the runner reads them: `name<<end`, lines, `end`. The last value of a name counts. */
function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {}
  const lines = text.split('\n').slice(0, -1)
  while (lines.length > 0) {
    const [, name, end] = /^(\w+)<<(.+)$/.exec(lines.shift() ?? '') ?? []
    const length = lines.indexOf(end ?? '')
    if (name === undefined || length < 0) throw new Error(`not the form of an output:\n${text}`)
    outputs[name] = lines
      .splice(0, length + 1)
      .slice(0, -1)
      .join('\n')
  }
  return outputs
}

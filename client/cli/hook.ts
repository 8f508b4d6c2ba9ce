// `hook`: a pipe from a coding agent's hook to the service. Its exit code is always 0, because hosts read other codes as
// decisions. Gemini CLI goes on when a hook fails, so for it every failure is a denial.
import { Argument, type Command, type CommanderError, Option } from 'commander'
import { readError } from '../errors.ts'
import { CliFailure, EXIT } from './failure.ts'
import { onInterrupt } from './interruption.ts'
import { Output } from './output.ts'
import { printableLine } from './printable.ts'
import { type CommonFlags, keyFor, readSettings } from './settings.ts'

const DENY = '{"decision":"deny","reason":"Nobody allowed this in time. Do not retry without asking."}'
const INPUT_MAX_BYTES = 256 * 1024
/** How much longer than the question the command waits. Its host waits ten seconds longer. */
const GRACE_S = 5

type Host = { path: string; wait: number; denial: string | null }

const HOSTS = new Map<string, Host>([
  ['claude', { path: 'claude-code', wait: 590, denial: null }],
  ['codex', { path: 'codex', wait: 590, denial: null }],
  ['gemini', { path: 'gemini-cli', wait: 50, denial: DENY }],
])

type HookFlags = CommonFlags & { wait?: string; who?: string; remember?: string }

export function addHookCommand(program: Command): void {
  program
    .command('hook')
    .description('Answer the permission requests of a coding agent: JSON on stdin, JSON or nothing on stdout')
    .addArgument(new Argument('<host>', 'The coding agent').choices([...HOSTS.keys()]))
    .option('--wait <seconds>', 'How long to wait; must be less than the timeout of the agent’s hook')
    .option('--who <people>', 'Who may answer: me, members, owner, or addresses separated by commas')
    .addOption(new Option('--remember <mode>', 'Offer "always allow"').choices(['on', 'off']))
    .exitOverride(endWrongUsage)
    .action(async (name: string, _: unknown, command: Command) => {
      const host = HOSTS.get(name)
      if (host) await answerHost(host, command.optsWithGlobals<HookFlags>())
    })
}

async function answerHost(host: Host, flags: HookFlags): Promise<void> {
  try {
    const answer = await Promise.race([post(host, flags), stopped(host, flags)])
    if (answer !== null) print(answer)
  } catch (error) {
    throw failed(host, error instanceof Error ? error.message : String(error))
  }
}

/** Rejects at a signal, or when the command's own time is over. The command then ends, and its connection closes. */
function stopped(host: Host, flags: HookFlags): Promise<never> {
  const seconds = (Number(flags.wait) || host.wait) + GRACE_S
  return new Promise((_, reject) => {
    onInterrupt(signal => reject(new Error(`Stopped by ${signal}`)))
    setTimeout(() => reject(new Error(`No answer after ${seconds} s`)), seconds * 1_000)
  })
}

/** Prints the denial of a host that needs one. */
function failed(host: Host | undefined, reason: string): CliFailure {
  if (host?.denial) print(host.denial)
  return new CliFailure(EXIT.done, 'hook', printableLine(reason))
}

const print = (answer: string) => process.stdout.write(`${answer}\n`)

/** The object as the service sent it, in one line; null if it says nothing. */
async function post({ path }: Host, flags: HookFlags): Promise<string | null> {
  const settings = await readSettings(flags, new Output(flags))
  const key = keyFor(settings)
  const { channel } = settings
  const query = new URLSearchParams({
    ...(channel !== null && { channel }),
    ...(flags.wait !== undefined && { wait: flags.wait }),
    ...(flags.who !== undefined && { who: flags.who }),
    ...(flags.remember !== undefined && { remember: flags.remember }),
  })
  const body = await readInput()
  const request = {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    body,
  }
  const response = await fetch(`${settings.url}/hooks/${path}?${query}`, request).catch(() => {
    throw new Error(`Can't reach ${settings.url}. Check --url and the network.`)
  })
  if (response.status !== 200) throw await readError(response)
  const text = await response.text().catch(() => '')
  return objectIn(text)
}

async function readInput(): Promise<Uint8Array<ArrayBuffer>> {
  if (process.stdin.isTTY) throw new Error('hook reads the JSON of a coding agent on stdin')
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of process.stdin) {
    chunks.push(chunk)
    bytes += chunk.length
    if (bytes > INPUT_MAX_BYTES) throw new Error('The request of the agent is larger than 256 KiB')
  }
  return new Uint8Array(Buffer.concat(chunks))
}

/** The text itself is passed on: parsing and writing it could change large numbers. */
function objectIn(text: string): string | null {
  const value = parseObject(text)
  if (value === null) throw new Error('The connection broke before the answer was there')
  return Object.keys(value).length === 0 ? null : text.trim().replace(/[\r\n]+/g, ' ')
}

function parseObject(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && !Array.isArray(value) ? value : null
  } catch {
    return null
  }
}

/** Wrong flags, too, must not look like a decision. */
function endWrongUsage(error: CommanderError): never {
  if (error.exitCode === 0) throw error
  throw failed(
    HOSTS.get(process.argv.find(word => HOSTS.has(word)) ?? ''),
    error.message.replace(/^error: /, ''),
  )
}

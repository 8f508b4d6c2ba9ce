// `verify`: checks a signed decision. The exit code is 0 only if it is valid and approved.
import type { Command } from 'commander'
import { z } from 'zod'
import { isJsonObject } from '../../shared/json-object.ts'
import type { VerifyOptions } from '../verify.ts'
import { CliFailure, EXIT, wrongUsage } from './failure.ts'
import { parseJsonText, readText } from './input.ts'
import { Output } from './output.ts'
import { addExamples, openSession, questionOf } from './session.ts'
import { type CommonFlags, checkUrl } from './settings.ts'

type VerifyFlags = CommonFlags & { issuer: string }
/** `card` and `values`: what the service says was decided. */
type Signature = Pick<VerifyOptions, 'decision_id' | 'card' | 'values'> & { jws: string }

type KeySet = NonNullable<VerifyOptions['jwks']>

const keySet = z.custom<KeySet>(value => isJsonObject(value) && Array.isArray(value.keys))
/** What `ask --json` prints, and the response with a signature. */
const answer = z.object({ jws: z.string() })

const HANDLE = /^[\da-f-]{36}\/[\da-f-]{36}$/i

export function addVerifyCommand(program: Command): void {
  const verify = program
    .command('verify')
    .description('Check a signed decision and print its claims; ends with 0 only if it is valid and approved')
    .argument('[source]', 'A handle, a file, or - for standard input (default)')
    .requiredOption('--issuer <address>', 'The public address of the service that signed')
    .action(async (source: string | undefined, { issuer }: VerifyFlags, command: Command) => {
      const url = checkUrl(issuer, '--issuer')
      const signature = await readSignature(source ?? '-', command)
      const claims = await check(signature, url)
      const output = new Output(command.optsWithGlobals<CommonFlags>())
      output.result(claims, JSON.stringify(claims, null, 2))
    })
  addExamples(
    verify,
    'channel-feed verify 0f5c…/7d0c… --issuer https://feed.example.com',
    "channel-feed ask 'Deploy?' --json | channel-feed verify --issuer https://feed.example.com && ./deploy",
  )
}

async function check({ jws, ...expected }: Signature, issuer: string) {
  const { DecisionVerificationError, verifyDecision } = await import('../verify.ts')
  const jwks = await readKeys(issuer)
  return verifyDecision(jws, { ...expected, issuer, jwks }).catch(error => {
    if (!(error instanceof DecisionVerificationError)) throw error
    throw new CliFailure(EXIT.not_approved, error.code, error.message)
  })
}

/** Apart from the check: a service that is away makes no signature invalid. */
async function readKeys(issuer: string): Promise<KeySet> {
  const response = await fetch(`${issuer}/.well-known/jwks.json`).catch(() => null)
  if (!response || response.status >= 500)
    throw new CliFailure(
      EXIT.unreachable,
      'unreachable',
      `Can't reach ${issuer}. Check --issuer and the network.`,
    )
  const found = keySet.safeParse(await response.json().catch(() => null))
  if (found.success) return found.data
  throw wrongUsage(`--issuer: ${issuer} has no list of keys. Is it the address of the service?`)
}

async function readSignature(source: string, command: Command): Promise<Signature> {
  if (HANDLE.test(source)) {
    const { jws, card, values } = await questionOf(await openSession(command), source).signed()
    const decision_id = source.split('/')[1]
    // The service keeps the digest of a card that is deleted, but not the card.
    return { jws, decision_id, values, ...(card && { card }) }
  }
  const text = (await readText(source)).trim()
  if (!text.startsWith('{')) return { jws: text }
  const { success, data } = answer.safeParse(parseJsonText(text, source))
  if (success) return { jws: data.jws }
  throw wrongUsage(
    `${source === '-' ? 'Standard input' : source} has no signature: a field "jws" with a text`,
  )
}

// What a failed command says, and its exit code.
import { CommanderError } from 'commander'
import {
  AuthError,
  ChannelFeedError,
  ConnectionError,
  DecisionCancelled,
  DecisionExpired,
  RateLimitError,
  ServerError,
  StillWaiting,
} from '../errors.ts'
import { CliFailure, EXIT, type ExitCode } from './failure.ts'
import { Output } from './output.ts'
import { type CommonFlags, readSettings } from './settings.ts'

type Failure = { exit: ExitCode; message: string | null; code: string | null; status: number | null }

/** Prints the failure on stderr. Returns the exit code. */
export async function report(error: unknown, output: Output, flags: CommonFlags): Promise<ExitCode> {
  const { exit, message, code, status } = describe(error, await addressOf(error, flags))
  if (message === null) return exit
  if (output.json) output.warn(JSON.stringify({ error: message, code, status }))
  else output.warn(`${output.style('red', 'channel-feed:', process.stderr)} ${message}`)
  return exit
}

/** Of the service, if it can't be reached. */
async function addressOf(error: unknown, flags: CommonFlags): Promise<string> {
  if (!(error instanceof ConnectionError)) return ''
  return (await readSettings(flags, new Output({ quiet: true }))).url
}

function describe(error: unknown, address: string): Failure {
  if (error instanceof CliFailure)
    return { exit: error.exit, message: error.message, code: error.code, status: null }
  if (error instanceof CommanderError) return describeUsage(error)
  if (error instanceof ChannelFeedError)
    return {
      exit: exitCodeOf(error),
      message: wordsOf(error, address),
      code: error.code ?? null,
      status: error.status,
    }
  // Neither 0 nor 1: those are answers of people.
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  return { exit: EXIT.usage, message, code: null, status: null }
}

/** Help and the version are no failures. */
function describeUsage({ exitCode, code, message }: CommanderError): Failure {
  if (exitCode === 0) return { exit: EXIT.done, message: null, code: null, status: null }
  // Called without a command, commander has printed the help.
  if (code === 'commander.help') return { exit: EXIT.usage, message: null, code: null, status: null }
  return { exit: EXIT.usage, message: message.replace(/^error: /, ''), code: 'usage', status: null }
}

function exitCodeOf(error: ChannelFeedError): ExitCode {
  if (error instanceof DecisionExpired) return EXIT.expired
  if (error instanceof DecisionCancelled) return EXIT.gone
  if (error instanceof StillWaiting) return EXIT.still_waiting
  if (error instanceof AuthError) return EXIT.no_permission
  if (error instanceof RateLimitError) return EXIT.limited
  if (error instanceof ConnectionError || error instanceof ServerError) return EXIT.unreachable
  return EXIT.refused
}

function wordsOf(error: ChannelFeedError, address: string): string {
  if (error instanceof ConnectionError) return `Can't reach ${address}. Check --url and the network.`
  if (error instanceof StillWaiting)
    return `${error.message}. Continue with: channel-feed wait ${error.handle}`
  if (error.status === 401) return `The service refused the key: ${error.message}. Run: channel-feed login`
  if (error.code === 'access_denied') return `${error.message}: check the scope and the workspace of the key.`
  if (error instanceof RateLimitError && error.retry_after !== undefined)
    return `${error.message}. Try again in ${Math.ceil(error.retry_after)} s.`
  return error.message
}

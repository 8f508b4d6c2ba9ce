// `ask`: a question on a card. The exit code is 0 only for the first choice.
import { type Command, Option } from 'commander'
import { COMMENTS } from '../../shared/decision.ts'
import type { AskOptions } from '../ask.ts'
import { InvalidRequestError, StillWaiting } from '../errors.ts'
import { endInterrupted, printAnswer } from './answer.ts'
import { collectFields, FIELD_TYPES, parseWho } from './ask-flags.ts'
import { parseDuration, parseTimeout } from './durations.ts'
import { EXIT } from './failure.ts'
import { collect } from './input.ts'
import { abortAtInterrupt } from './interruption.ts'
import { addExamples, type CliSession, feedOf, openSession } from './session.ts'

type AskFlags = Pick<AskOptions, 'details' | 'who' | 'comment' | 'agents' | 'key' | 'abandon'> & {
  choice?: string[]
  field?: AskOptions['fields']
  expires?: number
  timeout?: number
  wait: boolean
}

const YES_OR_NO = [
  { id: 'Yes', style: 'primary' },
  { id: 'No', style: 'danger' },
] as const

export function addAskCommand(program: Command): void {
  const ask = program
    .command('ask')
    .description('Ask a question and wait; prints the choice, and ends with 0 only for the first one')
    .argument('<question>', 'The question')
    .option('--choice <label>', 'A choice (repeat for more; default: Yes and No)', collect)
    .option('--details <text>', 'Text below the question')
    .option(
      '--field <id:Label[:type]>',
      `A field to fill in (repeat for more); types: ${FIELD_TYPES.join(', ')}`,
      collectFields,
    )
    .option('--expires <time>', 'The deadline, such as 90s, 10m or 1h', parseDuration)
    .option(
      '--who <people>',
      'Who may decide: anyone, signed_in, members, owner, or addresses separated by commas',
      parseWho,
    )
    .addOption(new Option('--comment <rule>', 'Whether a comment goes with the answer').choices(COMMENTS))
    .option('--agents', 'Let other API keys decide too')
    .option('--key <name>', 'Your name for the question: asking it again while it waits joins it')
    .addOption(
      new Option('--abandon <rule>', 'Whether the question closes when this command ends').choices([
        'keep',
        'cancel',
      ]),
    )
    .option('--timeout <time>', 'Stop waiting after this time; the question stays open', parseTimeout)
    .option('--no-wait', 'Print the handle of the question instead of waiting')
    .action(async (question: string, flags: AskFlags, command: Command) => {
      await askAndPrint(await openSession(command), question, flags)
    })
  addExamples(
    ask,
    "channel-feed ask 'Deploy v42?' --choice Deploy --choice 'Not now' --expires 1h && ./deploy",
    "channel-feed ask 'Which version?' --field version:Version --json",
    "HANDLE=$(channel-feed ask 'Ready?' --no-wait) || channel-feed wait $HANDLE",
  )
}

async function askAndPrint(session: CliSession, question: string, flags: AskFlags): Promise<void> {
  const { output } = session
  const { details, who, comment, agents, key, abandon, expires: expires_in, field: fields } = flags
  const signal = abortAtInterrupt()
  const asked = { handle: '', url: '' }
  const timeout = flags.timeout && flags.timeout * 1_000
  try {
    const answer = await feedOf(session).ask({
      ...{ question, details, fields, expires_in, who, comment, agents, key, abandon, signal },
      choices: flags.choice ?? YES_OR_NO,
      timeout: flags.wait ? timeout : 0,
      onAsked({ handle, url }) {
        Object.assign(asked, { handle, url })
        output.note(`Waiting: ${url}\nHandle: ${handle}`)
      },
    })
    printAnswer(output, answer)
  } catch (error) {
    if (signal.aborted) endInterrupted(output, abandon === 'cancel' ? '' : asked.handle)
    if (flags.wait || !(error instanceof StillWaiting)) throw withFlag(error)
    process.exitCode = EXIT.still_waiting
    output.result(asked, asked.handle)
  }
}

const FLAGS: [field: RegExp, flag: string][] = [
  [/\.expires_in$/, '--expires'],
  [/\.who\b/, '--who'],
  [/\.key$/, '--key'],
  [/\.buttons\b|^choices/, '--choice'],
]

/** The service names a field of the card; people know the flag. */
function withFlag(error: unknown): unknown {
  if (!(error instanceof InvalidRequestError)) return error
  const { field = '', status, message } = error
  const [, flag] = FLAGS.find(([pattern]) => pattern.test(field)) ?? []
  return flag ? new InvalidRequestError(status, `${flag}: ${message}`, error) : error
}

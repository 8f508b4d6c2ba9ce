// `decide`: answers a question as an agent.
import type { Command } from 'commander'
import type { FullDecision } from '../../shared/decision.ts'
import { wrongUsage } from './failure.ts'
import { collect, parseAssignment } from './input.ts'
import { printableLine } from './printable.ts'
import { addExamples, type CliSession, openSession, questionOf } from './session.ts'

type DecideFlags = { comment?: string; value?: string[] }

export function addDecideCommand(program: Command): void {
  const decide = program
    .command('decide')
    .description('Decide a question as an agent, if it allows agents; never one that your own key asked')
    .argument('<handle>', 'The handle that ask printed')
    .argument('<choice>', 'The id or label of a choice')
    .option('--comment <text>', 'A comment; everyone who sees the channel can read it')
    .option('--value <field=value>', 'The value of a field of the card (repeat for more)', collect)
    .action(async (handle: string, choice: string, flags: DecideFlags, command: Command) => {
      const session = await openSession(command)
      const { comment, value = [] } = flags
      const values = Object.fromEntries(value.map(pair => parseAssignment(pair, '--value')))
      const question = questionOf(session, handle)
      const asked = await question.get()
      const { id, label } = findChoice(asked, choice)
      const decision = await question.decide(id, { comment, values, seen: await cardState(session, asked) })
      session.output.result(decision, printableLine(id))
      session.output.note(printableLine(`Decided: ${label}`))
    })
  addExamples(decide, "channel-feed decide 0f5c…/7d0c… Deploy --comment 'tests are green'")
}

function findChoice({ choices }: FullDecision, choice: string): FullDecision['choices'][number] {
  const found = choices.find(({ id }) => id === choice) ?? choices.find(({ label }) => label === choice)
  if (found) return found
  const known = choices.map(({ id }) => printableLine(id)).join(', ')
  throw wrongUsage(`No choice "${choice}". The choices are: ${known}`)
}

/** A press names the state of the card that it answers. */
async function cardState({ client }: CliSession, asked: FullDecision): Promise<string | undefined> {
  if (asked.card_id === null) return undefined
  return (await client.channel(asked.channel_id).card(asked.card_id)).updated_at
}

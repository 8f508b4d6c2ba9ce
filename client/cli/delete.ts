// `delete`: removes a card.
import type { Command } from 'commander'
import { cardRefOf } from './card-ref.ts'
import { addExamples, feedOf, openSession } from './session.ts'

export function addDeleteCommand(program: Command): void {
  const remove = program
    .command('delete')
    .description('Delete a card')
    .argument('<card>', 'An id, or key:NAME')
    .action(async (card: string, _: unknown, command: Command) => {
      const session = await openSession(command)
      await feedOf(session).remove(cardRefOf(card))
      session.output.result({ deleted: true }, null)
      session.output.note('Deleted')
    })
  addExamples(remove, 'channel-feed delete key:nightly')
}

// `push`: a card from a file, standard input or flags.
import { type Command, Option } from 'commander'
import { CARD_STATUSES } from '../../shared/limits.ts'
import { collect } from './input.ts'
import { type CardFlags, readNewCard } from './new-card.ts'
import { addExamples, feedOf, openSession } from './session.ts'

type PushFlags = CardFlags & { key?: string }

export function addPushCommand(program: Command): void {
  const push = program
    .command('push')
    .description('Push a card: a JSON array of blocks, a JSON card, or plain text; prints the id of the card')
    .argument('[file]', 'A file, or - for standard input')
    .option('--text <text>', 'A text block (repeat for more)', collect)
    .option('--kv <name=value>', 'A row of a table (repeat for more)', collect)
    .option('--badge <label>', 'A badge in the color of the status (repeat for more)', collect)
    .addOption(new Option('--status <status>', 'The status of the card').choices(CARD_STATUSES))
    .option('--key <name>', 'Your name for the card: pushing it again replaces the card')
    .action(async (file: string | undefined, flags: PushFlags, command: Command) => {
      const session = await openSession(command)
      const feed = feedOf(session)
      const card = await feed.push(await readNewCard(file, flags), { key: flags.key })
      session.output.result(card, card.id)
      if ('warnings' in card) for (const warning of card.warnings ?? []) session.output.warn(warning)
    })
  addExamples(
    push,
    "channel-feed push --text 'Backup finished' --kv size=2.1GB --status success",
    'make test 2>&1 | tail -n 20 | channel-feed push - --badge failed --status error',
    'channel-feed push card.json --key nightly',
  )
}

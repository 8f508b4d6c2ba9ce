// `watch`: the cards of a channel as they change, for reading.
import type { Command } from 'commander'
import type { Card } from '../../shared/card.ts'
import { cardLines } from './card-text.ts'
import type { Output } from './output.ts'
import { printableLine } from './printable.ts'
import { addExamples, feedOf, openSession } from './session.ts'
import { shownTime } from './times.ts'

const COLORS = {
  default: 'bold',
  success: 'green',
  warning: 'yellow',
  error: 'red',
  pending: 'blue',
} as const

export function addWatchCommand(program: Command): void {
  const watch = program
    .command('watch')
    .description('Print cards as they change, until Ctrl-C')
    .argument('[channel]', 'The id of a channel')
    .action(async (channel: string | undefined, _: unknown, command: Command) => {
      const session = await openSession(command)
      const { output } = session
      output.progress('Watching. Ctrl-C ends it.')
      for await (const { type, data, id } of feedOf(session, channel).events()) {
        if (type === 'reset') output.warn('Some changes are missing: the connection was away for too long.')
        if (!type.startsWith('card.')) continue
        if (output.json) output.result({ type, data, id }, null)
        else if (type === 'card.deleted') output.line(`${output.style('dim', 'deleted')}  ${data.id}\n`)
        else if (type === 'card.inserted' || type === 'card.updated') printCard(output, data)
      }
    })
  addExamples(watch, 'channel-feed watch', 'channel-feed watch --json')
}

function printCard(output: Output, card: Card): void {
  const { id, status, updated_at, key } = card
  const head = [
    shownTime(updated_at),
    status,
    id,
    ...(key === undefined ? [] : [`key:${printableLine(key)}`]),
  ]
  output.line(output.style(COLORS[status], head.join('  ')))
  for (const line of cardLines(card)) output.line(`  ${line}`)
  output.line('')
}

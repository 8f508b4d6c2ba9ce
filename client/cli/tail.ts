// `tail`: interactions and decisions as they arrive, one per line.
import type { Command } from 'commander'
import type { FullDecision } from '../../shared/decision.ts'
import type { ListedInteraction } from '../../shared/interaction.ts'
import type { ChannelEvent } from '../events.ts'
import { addExamples, feedOf, openSession } from './session.ts'
import { rowOf } from './table.ts'

type TailFlags = { since?: string }

export function addTailCommand(program: Command): void {
  const tail = program
    .command('tail')
    .description('Print interactions and decisions as they arrive, one per line, until Ctrl-C')
    .argument('[channel]', 'The id of a channel')
    .option('--since <id>', 'Begin after the event with this id, the first word of each line')
    .action(async (channel: string | undefined, { since }: TailFlags, command: Command) => {
      const session = await openSession(command)
      const { output } = session
      output.progress('Listening. Ctrl-C ends it.')
      for await (const event of feedOf(session, channel).events({ since })) {
        if (event.type.startsWith('card.')) continue
        if (event.type === 'reset') output.warn('Some events are missing: the id is too old.')
        const cells = cellsOf(event)
        output.result(event, cells && rowOf([event.id, ...cells]))
      }
    })
  addExamples(
    tail,
    'channel-feed tail',
    'channel-feed tail --json | jq -r \'select(.type == "decision.decided")\'',
  )
}

function cellsOf({ type, data }: ChannelEvent): [time: string, words: string] | null {
  switch (type) {
    case 'interaction.created':
      return [data.timestamp, interactionWords(data)]
    case 'decision.waiting':
    case 'decision.decided':
    case 'decision.expired':
    case 'decision.cancelled':
      return [data.ended_at ?? data.asked_at, decisionWords(data)]
    default:
      return null
  }
}

function interactionWords({ trigger, card_id }: ListedInteraction): string {
  const on = card_id === null ? '' : ` on card ${card_id}`
  switch (trigger.type) {
    case 'button_click':
      return `pressed ${trigger.label}${on}`
    case 'header_action':
      return `pressed ${trigger.label}`
    case 'input_change':
      return `entered ${trigger.block_id} = ${JSON.stringify(trigger.value)}${on}`
    case 'reply':
      return `replied${on}: ${trigger.text}`
    case 'decision_expired':
      return `expired: ${trigger.block_id}${on}`
  }
}

function decisionWords({ channel_id, id, state, outcome, reason }: FullDecision): string {
  const about = `${channel_id}/${id} ${state}`
  if (!outcome) return reason ? `${about}: ${reason}` : about
  const { by, label, comment } = outcome
  return `${about}: ${by.name ?? 'somebody'} chose ${label}${comment ? `: ${comment}` : ''}`
}

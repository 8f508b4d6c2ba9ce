// `tail`: interactions and decisions as they arrive, one per line.
import type { Command } from 'commander'
import type { FullDecision } from '../../shared/decision.ts'
import type { ListedInteraction } from '../../shared/interaction.ts'
import type { ChannelEvent } from '../events.ts'
import { printableLine } from './printable.ts'
import { addExamples, channelOf, openSession } from './session.ts'

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
      for await (const event of channelOf(session, channel).events({ since })) {
        if (event.type.startsWith('card.')) continue
        if (event.type === 'reset') output.warn('Some events are missing: the id is too old.')
        const words = wordsOf(event)
        output.result(event, words === null ? null : `${event.id}  ${printableLine(words)}`)
      }
    })
  addExamples(
    tail,
    'channel-feed tail',
    'channel-feed tail --json | jq -r \'select(.type == "decision.decided")\'',
  )
}

function wordsOf(event: ChannelEvent): string | null {
  switch (event.type) {
    case 'interaction.created':
      return `${event.data.timestamp}  ${interactionWords(event.data)}`
    case 'decision.waiting':
    case 'decision.decided':
    case 'decision.expired':
    case 'decision.cancelled':
      return decisionWords(event.data)
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

function decisionWords({ channel_id, id, state, asked_at, ended_at, outcome, reason }: FullDecision): string {
  const end = outcome
    ? `: ${outcome.by.name ?? 'somebody'} chose ${outcome.label}${outcome.comment ? `: ${outcome.comment}` : ''}`
    : reason
      ? `: ${reason}`
      : ''
  return `${ended_at ?? asked_at}  ${state}${end} (${channel_id}/${id})`
}

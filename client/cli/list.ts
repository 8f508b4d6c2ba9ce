// `list`: tables of what the key reaches.
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Card } from '../../shared/card.ts'
import { DECISION_STATES, type DecisionState, type FullDecision } from '../../shared/decision.ts'
import { LIST_LIMIT_MAX } from '../../shared/limits.ts'
import { listReachable } from '../mcp/channel-list.ts'
import { cardTitle } from './card-text.ts'
import { addExamples, feedOf, openSession } from './session.ts'
import { printTable } from './table.ts'
import { shownTime } from './times.ts'

const LIMIT = 20

type DecisionFlags = { limit: number; state?: DecisionState; key?: string }

export function addListCommand(program: Command): void {
  const list = program
    .command('list')
    .helpCommand(false)
    .description('List workspaces, channels, cards or decisions')
  list.command('workspaces').description('The workspaces of the key').action(listWorkspaces)
  list.command('channels').description('The channels of all workspaces').action(listChannels)
  list
    .command('cards')
    .description('The cards of a channel, newest first')
    .addOption(limitOption())
    .action(listCards)
  list
    .command('decisions')
    .description('The questions of a channel, newest first')
    .addOption(limitOption())
    .addOption(new Option('--state <state>', 'Only questions in this state').choices(DECISION_STATES))
    .option('--key <name>', 'Only questions with this name')
    .action(listDecisions)
  addExamples(
    list,
    'channel-feed list channels',
    'channel-feed list decisions --state waiting',
    'channel-feed list cards --limit 5 --json',
  )
}

const limitOption = () =>
  new Option('--limit <count>', 'How many').default(LIMIT).argParser(text => {
    const count = /^\d{1,3}$/.test(text) ? Number(text) : 0
    if (count < 1 || count > LIST_LIMIT_MAX)
      throw new InvalidArgumentError(`Write a number from 1 to ${LIST_LIMIT_MAX}.`)
    return count
  })

async function listWorkspaces(_: unknown, command: Command): Promise<void> {
  const { client, output } = await openSession(command)
  const workspaces = await client.workspaces()
  if (output.json) return output.result(workspaces, null)
  const rows = workspaces.map(({ id, role, name }) => [id, role, name])
  printTable(output, ['ID', 'ROLE', 'NAME'], rows)
}

async function listChannels(_: unknown, command: Command): Promise<void> {
  const { client, output } = await openSession(command)
  const channels = await listReachable(client, {})
  if (output.json) return output.result(channels, null)
  const rows = channels.map(({ id, mode, workspace, name }) => [id, mode, workspace, name])
  printTable(output, ['ID', 'MODE', 'WORKSPACE', 'NAME'], rows)
}

async function listCards({ limit }: { limit: number }, command: Command): Promise<void> {
  const session = await openSession(command)
  const { cards } = await feedOf(session).cards({ limit }).page()
  if (session.output.json) return session.output.result(cards, null)
  const row = (card: Card) => [
    card.id,
    card.status,
    shownTime(card.updated_at),
    card.key ?? '',
    cardTitle(card),
  ]
  printTable(session.output, ['ID', 'STATUS', 'UPDATED', 'KEY', 'TITLE'], cards.map(row))
}

async function listDecisions(flags: DecisionFlags, command: Command): Promise<void> {
  const session = await openSession(command)
  const { decisions } = await feedOf(session).decisions(flags).page()
  if (session.output.json) return session.output.result(decisions, null)
  const row = (decision: FullDecision) => [
    `${decision.channel_id}/${decision.id}`,
    decision.state,
    shownTime(decision.asked_at),
    decision.key ?? '',
    outcomeWords(decision),
  ]
  printTable(session.output, ['HANDLE', 'STATE', 'ASKED', 'KEY', 'CHOICE'], decisions.map(row))
}

function outcomeWords({ outcome, choices }: FullDecision): string {
  if (!outcome) return choices.map(({ label }) => label).join(' / ')
  return `${outcome.label} · ${outcome.by.name ?? 'somebody'}`
}

// What a command works with: its output, and the service with the caller's key.
import type { Command } from 'commander'
import { ChannelFeed } from '../channel-feed.ts'
import type { DecisionHandle } from '../decision.ts'
import { wrongUsage } from './failure.ts'
import { Output } from './output.ts'
import { printableLine } from './printable.ts'
import { type CommonFlags, channelFor, keyFor, readSettings, type Settings } from './settings.ts'

export type CliSession = { output: Output; settings: Settings; client: ChannelFeed }

export async function openSession(command: Command): Promise<CliSession> {
  const flags = command.optsWithGlobals<CommonFlags>()
  const output = new Output(flags)
  const settings = await readSettings(flags, output)
  const client = new ChannelFeed({ url: settings.url, key: keyFor(settings) })
  return { output, settings, client }
}

/** `channel`: an argument, which wins over flags. */
export const feedOf = ({ client, settings }: CliSession, channel?: string) =>
  client.channel(channel ?? channelFor(settings))

/** `handle`: as `ask` prints it. */
export function questionOf({ client }: CliSession, handle: string): DecisionHandle {
  if (/^[\w-]+\/[\w-]+$/.test(handle)) return client.decision(handle)
  throw wrongUsage(`The handle must be CHANNEL/DECISION, as ask prints it, not "${printableLine(handle)}"`)
}

/** Begins the help of a command. */
export function addExamples(command: Command, ...lines: string[]): Command {
  return command.addHelpText('before', `Examples:\n${lines.map(line => `  ${line}`).join('\n')}\n`)
}

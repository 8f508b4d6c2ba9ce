// `login`: checks a key and stores it, with the service's address and a default channel.
import { text } from 'node:stream/consumers'
import type { Command } from 'commander'
import { ChannelFeed } from '../channel-feed.ts'
import { listReachable, type ToolChannel } from '../mcp/channel-list.ts'
import { writeProfile } from './config.ts'
import { wrongUsage } from './failure.ts'
import { Output } from './output.ts'
import { printableLine } from './printable.ts'
import { Prompt } from './prompt.ts'
import { addExamples } from './session.ts'
import { type CommonFlags, checkKey, profileName, readUrl } from './settings.ts'

type LoginFlags = CommonFlags & { keyStdin?: boolean }

export function addLoginCommand(program: Command): void {
  const login = program
    .command('login')
    .description('Check an API key, and store it with the address of the service')
    .option('--key-stdin', 'Read the key from standard input')
    .action(async (_: unknown, command: Command) => {
      const flags = command.optsWithGlobals<LoginFlags>()
      if (flags.keyStdin) return logIn(flags, (await text(process.stdin)).trim(), null)
      const prompt = new Prompt('login needs a terminal. To pipe the key in: channel-feed login --key-stdin')
      try {
        const url = flags.url || (await prompt.ask('Address of the service', readUrl(flags)))
        await logIn({ ...flags, url }, await prompt.askHidden('API key'), prompt)
      } finally {
        prompt.close()
      }
    })
  addExamples(
    login,
    'channel-feed login',
    'channel-feed login --url https://feed.example.com --key-stdin < key.txt',
  )
}

async function logIn(flags: LoginFlags, key: string, prompt: Prompt | null): Promise<void> {
  const output = new Output(flags)
  const url = readUrl(flags)
  const channels = await listReachable(new ChannelFeed({ url, key: checkKey(key, 'The input') }), {})
  const channel = await chooseChannel(flags, channels, prompt)
  const name = profileName(flags)
  await writeProfile({ name, url, key, channel: channel?.id ?? null }, output)
  output.result({ profile: name, url, channel: channel?.id ?? null }, null)
  output.note(`Logged in to ${url}`)
  if (channel) output.note(`Default channel: ${printableLine(channel.name)} (${channel.id})`)
  else output.note('No default channel: give --channel, or choose one with another login.')
  if (process.env.CHANNEL_FEED_KEY) output.warn('CHANNEL_FEED_KEY is set, and wins over the stored key.')
}

async function chooseChannel(
  { channel: id }: LoginFlags,
  channels: ToolChannel[],
  prompt: Prompt | null,
): Promise<ToolChannel | undefined> {
  if (id) {
    const found = channels.find(channel => channel.id === id)
    if (!found) throw wrongUsage(`--channel: this key can't reach the channel ${id}`)
    return found
  }
  if (channels.length === 1) return channels[0]
  if (!prompt || channels.length === 0) return undefined
  for (const [i, { name, workspace }] of channels.entries())
    process.stderr.write(`${String(i + 1).padStart(3)}  ${printableLine(`${name} · ${workspace}`)}\n`)
  for (;;) {
    const answer = await prompt.ask(`Default channel, 1 to ${channels.length}, or empty for none`)
    if (answer === '') return undefined
    const chosen = channels[Number(answer) - 1]
    if (chosen) return chosen
  }
}

// Where the address, key and channel of a command come from: its flags, then the environment, then the file of `login`.
import { type Command, Option } from 'commander'
import { isHttpUrl } from '../../shared/characters.ts'
import { readProfiles } from './config.ts'
import { CliFailure, EXIT, wrongUsage } from './failure.ts'
import type { Output } from './output.ts'

const LOCAL = 'http://localhost:3000'
const DEFAULT_PROFILE = 'default'

/** Of every command. Commander reads the environment if a flag is missing. */
export type CommonFlags = {
  url?: string
  channel?: string
  profile?: string
  json?: boolean
  quiet?: boolean
  color?: boolean
}

export type Settings = { url: string; key: string | null; channel: string | null }

export function addCommonFlags(program: Command): Command {
  return program
    .addOption(new Option('--url <address>', 'The service').env('CHANNEL_FEED_URL'))
    .addOption(new Option('--channel <id>', 'The channel').env('CHANNEL_FEED_CHANNEL'))
    .addOption(new Option('--profile <name>', 'The stored login to use').env('CHANNEL_FEED_PROFILE'))
    .option('--json', 'Print JSON, even for errors')
    .option('--quiet', 'Print only data and errors')
    .option('--no-color', 'Print without colors')
}

export async function readSettings(flags: CommonFlags, output: Output): Promise<Settings> {
  const name = profileName(flags)
  const stored = (await readProfiles(output)).find(profile => profile.name === name)
  if (!stored && flags.profile)
    throw wrongUsage(`--profile: no login named "${name}". Run: channel-feed login --profile ${name}`)
  const url = readUrl(flags, stored?.url)
  const own = stored?.url === url ? stored : undefined
  const key = process.env.CHANNEL_FEED_KEY?.trim() || own?.key
  return {
    url,
    key: key ? checkKey(key, 'CHANNEL_FEED_KEY') : null,
    channel: flags.channel || own?.channel || null,
  }
}

export const profileName = (flags: CommonFlags) => flags.profile || DEFAULT_PROFILE

export const readUrl = (flags: CommonFlags, fallback = LOCAL) => checkUrl(flags.url || fallback, '--url')

/** Without a slash at the end. */
export function checkUrl(text: string, flag: string): string {
  const url = text.trim().replace(/\/+$/, '')
  if (isHttpUrl(url)) return url
  throw wrongUsage(`${flag} must be an address such as ${LOCAL}, not "${text}"`)
}

/** The message must not contain it. */
export function checkKey(key: string, source: string): string {
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw wrongUsage(`${source} isn't an API key. Create one in the settings of your account.`)
}

/** A stored key goes only to the address for which it was stored. */
export function keyFor({ url, key }: Settings): string {
  if (key !== null) return key
  throw new CliFailure(
    EXIT.no_permission,
    'no_key',
    `No key for ${url}. Run: channel-feed login --url ${url}\nOr set CHANNEL_FEED_KEY.`,
  )
}

export function channelFor({ channel }: Settings): string {
  if (channel !== null) return channel
  throw wrongUsage(
    'No channel. Give --channel, set CHANNEL_FEED_CHANNEL, or choose one with: channel-feed login',
  )
}

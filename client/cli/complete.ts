// `complete`: what may stand at the end of a command line. The shells run it at every Tab.
import type { Argument, Command, Option } from 'commander'
import { ChannelFeed } from '../channel-feed.ts'
import { listReachable } from '../mcp/channel-list.ts'
import { nameByKey } from './card-ref.ts'
import { readProfiles } from './config.ts'
import { Output } from './output.ts'
import { printableLine } from './printable.ts'
import { readSettings } from './settings.ts'

type Candidate = { value: string; about?: string }
/** `pending`: the flag whose value comes next. `flags`: the values of those that came before. */
type Place = { command: Command; pending: Option | null; operands: number; flags: Record<string, string> }

const TIMEOUT_MS = 3_000
const CARDS = 100

export function addCompleteCommand(program: Command): void {
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const before = words.slice(0, -1)
      const last = words.at(-1) ?? ''
      for (const { value, about = '' } of await candidates(program, placeOf(program, before), last))
        if (value.startsWith(last)) process.stdout.write(`${value}\t${printableLine(about)}\n`)
    })
}

function placeOf(program: Command, words: string[]): Place {
  // Commander has read the environment.
  const place: Place = { command: program, pending: null, operands: 0, flags: program.opts() }
  for (const word of words) {
    const { command, pending } = place
    if (pending) {
      place.flags[pending.attributeName()] = word
      place.pending = null
    } else if (word.startsWith('-')) {
      const option = [...command.options, ...program.options].find(({ long }) => long === word)
      place.pending = option?.required ? option : null
    } else {
      const next = command.commands.find(one => one.name() === word)
      if (next) place.command = next
      else place.operands++
    }
  }
  return place
}

async function candidates(program: Command, place: Place, last: string): Promise<Candidate[]> {
  const { command, pending, operands } = place
  if (pending) return valuesOf(pending, pending.attributeName(), place)
  if (last.startsWith('-'))
    return [...command.options, ...program.options]
      .filter(({ hidden }) => !hidden)
      .map(({ long, short, description }) => ({ value: long ?? short ?? '', about: description }))
  const commands = command.createHelp().visibleCommands(command)
  if (commands.length > 0) return commands.map(one => ({ value: one.name(), about: one.description() }))
  const argument = command.registeredArguments[operands]
  return argument ? valuesOf(argument, argument.name(), place) : []
}

/** `name`: of a flag or an argument. */
async function valuesOf(
  { argChoices = [] }: Option | Argument,
  name: string,
  place: Place,
): Promise<Candidate[]> {
  if (name === 'channel') return channels(place)
  if (name === 'profile') return (await readProfiles(silent)).map(profile => ({ value: profile.name }))
  if (name === 'card') return (await cardKeys(place)).map(key => ({ value: nameByKey(key) }))
  if (name === 'key' && place.command.name() === 'push')
    return (await cardKeys(place)).map(key => ({ value: key }))
  return argChoices.map(value => ({ value }))
}

/** Those of the service, or else those of stored logins. */
async function channels({ flags }: Place): Promise<Candidate[]> {
  const client = await connect(flags)
  const reached = client && (await listReachable(client, {}).catch(() => null))
  if (reached) return reached.map(({ id, name }) => ({ value: id, about: name }))
  return (await readProfiles(silent)).flatMap(({ channel, name }) =>
    channel === null ? [] : { value: channel, about: name },
  )
}

async function cardKeys({ flags }: Place): Promise<string[]> {
  const { channel } = await readSettings(flags, silent)
  const client = await connect(flags)
  if (!client || channel === null) return []
  const { cards } = await client.channel(channel).cards({ limit: CARDS }).page()
  return cards.flatMap(({ key }) => key ?? [])
}

/** Without retries and with a short timeout: a person waits after pressing Tab. */
async function connect(flags: Place['flags']): Promise<ChannelFeed | null> {
  const { url, key } = await readSettings(flags, silent)
  return key === null ? null : new ChannelFeed({ url, key, retries: 0, timeout: TIMEOUT_MS })
}

const silent = new Output({ quiet: true })

// The card that `push` sends: blocks from a file or stdin, below those from flags.
import { z } from 'zod'
import type { CardStatus } from '../../shared/card.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import type { NewCard } from '../channel-requests.ts'
import { wrongUsage } from './failure.ts'
import { parseJsonText, pipedInput, readText, splitPair } from './input.ts'

export type CardFlags = {
  text?: string[]
  kv?: string[]
  badge?: string[]
  status?: CardStatus
}

type SentBlock = NewCard['blocks'][number]

/** The service checks the fields. It may know block types that this release doesn't. */
const sentBlocks = z.array(z.custom<SentBlock>(isJsonObject))
const sentCard = z.custom<NewCard>(isJsonObject)

export async function readNewCard(file: string | undefined, flags: CardFlags): Promise<NewCard> {
  const above = blocksFromFlags(flags)
  const source = file ?? (above.length > 0 ? null : pipedInput())
  if (source === null && above.length === 0)
    throw wrongUsage('Nothing to push. Give a file, - for standard input, --text, --kv or --badge.')
  const card = source === null ? { blocks: [] } : cardIn(await readText(source), source)
  const { status } = flags
  return {
    ...card,
    ...(above.length > 0 && { blocks: [...above, ...(card.blocks ?? [])] }),
    ...(status !== undefined && { status }),
  }
}

/** Text that begins like a JSON object or a list of objects must be JSON: a broken card must not become a text. */
function cardIn(text: string, source: string): NewCard {
  if (text.trim() === '') throw wrongUsage(`${source === '-' ? 'Standard input' : source} is empty`)
  if (!/^\s*(\{|\[\s*\{)/.test(text)) return { blocks: [{ type: 'text', content: text.trimEnd() }] }
  const value = parseJsonText(text, source)
  const blocks = sentBlocks.safeParse(value)
  return blocks.success ? { blocks: blocks.data } : sentCard.parse(value)
}

function blocksFromFlags({ text = [], kv = [], badge = [], status }: CardFlags): SentBlock[] {
  const rows = kv.map(pair => splitPair(pair, '--kv'))
  return [
    ...text.map((content): SentBlock => ({ type: 'text', content })),
    ...badge.map((label): SentBlock => ({ type: 'badge', label, ...(status && { variant: status }) })),
    ...(rows.length > 0 ? [{ type: 'kv' as const, rows }] : []),
  ]
}

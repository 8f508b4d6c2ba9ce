// `patch`: changes a card.
import { type Command, Option } from 'commander'
import { z } from 'zod'
import type { PatchCardBody } from '../../shared/card.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { CARD_STATUSES } from '../../shared/limits.ts'
import { cardRefOf } from './card-ref.ts'
import { wrongUsage } from './failure.ts'
import { parseAssignment, parseJsonText, readText, splitPair } from './input.ts'
import { addExamples, feedOf, openSession } from './session.ts'

type BlockPatch = NonNullable<PatchCardBody['blocks']>[number]
type PatchFlags = Pick<PatchCardBody, 'status'>

/** The service checks the fields. */
const sentPatches = z.array(z.custom<BlockPatch>(isJsonObject))
const sentPatch = z.custom<PatchCardBody>(isJsonObject)

export function addPatchCommand(program: Command): void {
  const blocks = new BlockPatches()
  const patch = program
    .command('patch')
    .description('Change a card')
    .argument('<card>', 'An id, or key:NAME')
    .argument('[file]', 'A JSON patch, or - for standard input')
    .addOption(new Option('--status <status>', 'The status of the card').choices(CARD_STATUSES))
    .option('--block <id>', 'The block that the next --set and --append change', id => blocks.begin(id))
    .option('--set <field=value>', 'A field; field:=value for JSON (repeat for more)', pair =>
      blocks.set(pair),
    )
    .option('--append <name=value>', 'A row at the end of a table (repeat for more)', pair =>
      blocks.append(pair),
    )
    .action(async (card: string, file: string | undefined, { status }: PatchFlags, command: Command) => {
      const session = await openSession(command)
      const given = file === undefined ? {} : patchIn(await readText(file), file)
      const body = {
        ...given,
        ...(status !== undefined && { status }),
        ...(blocks.list.length > 0 && { blocks: [...(given.blocks ?? []), ...blocks.list] }),
      }
      if (Object.keys(body).length === 0)
        throw wrongUsage('Nothing to change. Give a file, --status, or --block with --set or --append.')
      const patched = await feedOf(session).patch(cardRefOf(card), body)
      session.output.result(patched, patched.id)
    })
  addExamples(
    patch,
    'channel-feed patch key:nightly --status success',
    "channel-feed patch key:nightly --block log --append '14:02=finished'",
    'channel-feed patch key:nightly --block title --set content=Done',
  )
}

function patchIn(text: string, file: string): PatchCardBody {
  const value = parseJsonText(text, file)
  const blocks = sentPatches.safeParse(value)
  if (blocks.success) return { blocks: blocks.data }
  const { data } = sentPatch.safeParse(value)
  if (!data)
    throw wrongUsage(`${file} must contain a JSON object with status and blocks, or an array of patches`)
  return data
}

/** The flags as they come: each --set and --append belongs to the --block before it. */
class BlockPatches {
  readonly list: BlockPatch[] = []

  begin(id: string): void {
    this.list.push({ id, patch: {} })
  }

  set(pair: string): void {
    const [field, value] = parseAssignment(pair, '--set')
    this.#current('--set').patch[field] = value
  }

  append(pair: string): void {
    const { patch } = this.#current('--append')
    const rows: unknown[] = Array.isArray(patch.append_rows) ? patch.append_rows : []
    patch.append_rows = [...rows, splitPair(pair, '--append')]
  }

  #current(flag: string): BlockPatch {
    const current = this.list.at(-1)
    if (!current) throw wrongUsage(`${flag} needs --block ID before it`)
    return current
  }
}

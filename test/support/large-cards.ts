// Cards near the size limit, and cards above it, as releases before the limit left them.
import { beginEpoch } from '../../server/feed/log/epochs.ts'
import type { Block } from '../../shared/block.ts'
import type { TestService } from './service.ts'

const JSON_OF_ROW = Buffer.byteLength('{"key":"","value":""},')

/** A kv block that takes exactly so many bytes as JSON. `character` fills it. */
export function blocksOf(bytes: number, character = 'x'): Block[] {
  const width = Buffer.byteLength(JSON.stringify(character)) - 2
  const rows: { key: string; value: string }[] = []
  // The last row has no comma.
  let left = bytes - Buffer.byteLength('[{"type":"kv","id":"kv","rows":[]}]') + 1
  while (left > 0) {
    // What is left for the next row is never less than a row without text takes.
    const size = left < 18_000 ? Math.ceil(left / Math.ceil(left / 9_000)) : 9_000
    const value = character.repeat((size - JSON_OF_ROW) / width)
    rows.push({ key: 'x'.repeat((size - JSON_OF_ROW) % width), value })
    left -= size
  }
  return [{ type: 'kv', id: 'kv', rows }]
}

/** Gives stored cards these blocks, however large. Viewers of the channel start over. */
export async function storeBlocks(
  { sql, history }: Pick<TestService, 'sql' | 'history'>,
  channel_id: string,
  card_ids: string[],
  blocks: Block[],
): Promise<void> {
  await sql`
    update cards set blocks = ${JSON.stringify(blocks)}::text::json
    where channel_id = ${channel_id} and id = any(${card_ids}::uuid[])`
  const [document] = await sql<{ epoch: number }[]>`
    select epoch from documents where channel_id = ${channel_id}`
  if (!document) throw new Error('there is no such channel')
  await beginEpoch(sql, channel_id, document, history.current)
}

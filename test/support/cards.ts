// Cards of a channel, and all rows stored for it.
import type { Sql } from '../../server/database/connect.ts'
import type { Card, PlacedCard } from '../../shared/card.ts'
import type { Account } from './account.ts'
import { createChannel } from './channels.ts'
import { type Call, create } from './service.ts'

export const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

export const textCard = (content = 'Hello') => ({ blocks: [{ type: 'text', id: 'text', content }] })

/** Creates a channel of the owner and returns the path of its cards. */
export async function createTestCards(account: Pick<Account, 'key' | 'workspace_id'>): Promise<string> {
  return `/channels/${await createChannel(account)}/cards`
}

/** Creates a card and returns its path. */
export async function pushCard(call: Call, cards: string, body: object = textCard()): Promise<string> {
  return `${cards}/${(await create(call, cards, body)).id}`
}

export async function readCard(call: Call, path: string): Promise<Card> {
  return (await call<Card>('GET', path)).body
}

/** The first page of the live document. */
export async function readDocumentCards({ session }: Account, cards: string): Promise<PlacedCard[]> {
  const { body } = await session<{ cards: PlacedCard[] }>('GET', cards.replace(/cards$/, 'pages/0'))
  return body.cards
}

/** The number of rows of every table, except the list of deleted ids, which stay for an hour. */
export async function countRows(sql: Sql): Promise<Record<string, number>> {
  const tables = await sql<{ table_name: string }[]>`
    select table_name from information_schema.tables
    where table_schema = 'public' and table_name <> 'access_changes' order by table_name`
  const counts: Record<string, number> = {}
  for (const { table_name } of tables) {
    const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from ${sql(table_name)}`
    counts[table_name] = row?.count ?? 0
  }
  return counts
}

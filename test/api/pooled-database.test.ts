// The service behind a pooler in transaction mode, and on a database that version 0.2 has damaged behind one.
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { findPooler } from '../../server/database/pooler.ts'
import type { Card } from '../../shared/card.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { accountAt, createAccount, signIn } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { createTestChannel, pushCard, textCard } from '../support/cards.ts'
import { createTestDatabase } from '../support/database.ts'
import { ask } from '../support/decisions.ts'
import { hasPgbouncer, runPgbouncer } from '../support/pgbouncer.ts'
import { startPooler } from '../support/pooler.ts'
import { startTestService } from '../support/service.ts'
import { times } from '../support/times.ts'
import { until, watchSynced } from '../support/viewer.ts'

const CARDS = 60
const idOf = (cards: string) => cards.split('/')[2] ?? ''

async function runDatabase() {
  const database = await createTestDatabase()
  afterTest(() => database.drop())
  return database
}

async function start(...given: Parameters<typeof startTestService>) {
  const service = await startTestService(...given)
  afterTest(() => service.stop())
  return service
}

test('everything works behind a pooler, and a direct connection reads the same', async () => {
  const database = await runDatabase()
  const pooler = await startPooler(join(database.target.socket_dir, '.s.PGSQL.5432'))
  afterTest(() => pooler.end())
  const service = await start({}, { database, target: { url: pooler.urlOf(database.target.database) } })
  const ann = await createAccount(service)
  const cards = await createTestChannel(ann)
  const byKey = (i: number) => `${cards}/by-key/card-${i % 20}`
  const puts = await times(CARDS, i => ann.key('PUT', byKey(i), textCard(`Card ${i}`)))
  expect(puts.map(({ status }) => status).filter(status => ![200, 201].includes(status))).toEqual([])
  const pushed = await times(CARDS, i => ann.key('POST', cards, textCard(`Card ${i}`)))
  expect(pushed.map(({ status }) => status)).toEqual(pushed.map(() => 201))
  const { card_id } = await ask(ann.key, idOf(cards))
  const settings = { key: 'build', use_as_filter: true, show_in_sidebar: false }
  const put = await ann.session('PUT', `/workspaces/${ann.workspace_id}/attribute-settings`, settings)
  expect(put).toMatchObject({ status: 200, body: settings })
  const cookies = await times(10, () => signIn(service.url, ann.email))
  for (const Cookie of cookies)
    expect((await ann.session('GET', '/usage', undefined, { Cookie })).status).toBe(200)
  expect(pooler.moves).toBeGreaterThan(CARDS)

  const direct = await start({}, { database })
  await expectRowsMatchDocument(database.sql, idOf(cards))
  const { body } = await accountAt(direct, ann).key<{ cards: Card[] }>('GET', `${cards}?limit=200`)
  expect(body.cards).toHaveLength(20 + CARDS + 1)
  expect(body.cards.map(({ id }) => id)).toContain(card_id)
})

test('instances behind a pooler in transaction mode poll, and never count as connected', async () => {
  const database = await runDatabase()
  const pooler = await startPooler(join(database.target.socket_dir, '.s.PGSQL.5432'))
  afterTest(() => pooler.end())
  const target = { url: pooler.urlOf(database.target.database) }
  const lines: string[] = []
  const here = await start({}, { database, target, log: pino({}, { write: line => lines.push(line) }) })
  const there = await start({}, { database, target })
  const others = async () => (await (await fetch(`${here.url}/readyz`)).json()).other_instances
  expect(await others()).toBe('polled')
  await until(() => lines.some(line => line.includes('polling the log')), 'it has tried')
  expect(await others()).toBe('polled')
  expect(lines.filter(line => line.includes('is down'))).toEqual([])
  const ann = await createAccount(here)
  const cards = await createTestChannel(ann)
  const viewer = await watchSynced(there.url, idOf(cards), { token: ann.api_key })
  await pushCard(ann.key, cards)
  await until(() => viewer.cards().length === 1, 'the other instance sees the card')
  viewer.leave()
})

test.skipIf(!hasPgbouncer).each(['session', 'transaction'])(
  'the service works behind pgbouncer in %s mode',
  async mode => {
    const database = await runDatabase()
    const url = await runPgbouncer(database, mode)
    expect(await findPooler({ url })).toEqual({ url, pooled: true })
    const service = await start({}, { database, target: { url } })
    const ann = await createAccount(service)
    const cards = await createTestChannel(ann)
    const puts = await times(CARDS, i =>
      ann.key('PUT', `${cards}/by-key/card-${i % 20}`, textCard(`Card ${i}`)),
    )
    expect(puts.map(({ status }) => status).filter(status => ![200, 201].includes(status))).toEqual([])
    await times(CARDS, i => pushCard(ann.key, cards, textCard(`Card ${i}`)))
    await ask(ann.key, idOf(cards))
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200)
    await expectRowsMatchDocument(database.sql, idOf(cards))
  },
)

test('a channel whose updates and snapshot 0.2 stored as their text is read as it was', async () => {
  const database = await runDatabase()
  const before = await start({}, { database })
  const ann = await createAccount(before)
  const cards = await createTestChannel(ann)
  // One turn each, so that the stop takes a snapshot.
  for (let i = 0; i < CARDS; i++) await pushCard(ann.key, cards, textCard(`Card ${i}`))
  const list = (await ann.key('GET', cards)).body
  await before.stop()
  const { sql } = database
  await sql`update document_snapshots set state = convert_to('\\x' || encode(state, 'hex'), 'UTF8')`
  await sql`update document_updates set update = convert_to('\\x' || encode(update, 'hex'), 'UTF8')`
  const [damaged] = await sql`
    select (select count(*) from document_snapshots where channel_id = ${idOf(cards)}) as snapshots,
      (select count(*) from document_updates where channel_id = ${idOf(cards)}) as updates`
  expect(damaged).toMatchObject({ snapshots: 1 })
  expect(damaged?.updates).toBeGreaterThan(1)

  const after = await start({}, { database })
  const again = accountAt(after, ann)
  expect((await again.key('GET', cards)).body).toEqual(list)
  await pushCard(again.key, cards)
  const viewer = await watchSynced(after.url, idOf(cards), { token: ann.api_key })
  expect(viewer.cards()).toHaveLength(CARDS + 1)
  viewer.leave()
  await expectRowsMatchDocument(sql, idOf(cards))
})

test('after a column has changed its type, requests succeed', async () => {
  const database = await runDatabase()
  const service = await start({}, { database })
  const ann = await createAccount(service)
  const cards = await createTestChannel(ann)
  const put = (text: string) => ann.key('PUT', `${cards}/by-key/build`, textCard(text))
  const change = (text: string) =>
    ann.key('PUT', cards.replace(/cards$/, 'attributes'), { build: text, region: text })
  for (const text of ['one', 'two']) {
    expect([200, 201]).toContain((await put(text)).status)
    expect((await change(text)).status).toBe(200)
  }
  await database.sql`alter table cards alter blocks type jsonb`
  await database.sql`alter table channels alter name type varchar(1000)`
  await database.sql`alter table channel_attributes alter value type varchar(2000)`
  expect((await put('three')).status).toBe(200)
  expect((await change('three')).status).toBe(200)
  expect((await ann.key('GET', `${cards}/by-key/build`)).body).toMatchObject(textCard('three'))
})

// Older pages leave the live document and are read over HTTP. `touched` tells viewers which of them changed.
import { expect, test } from 'vitest'
import { touchedOf } from '../../shared/channel-doc.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { accountAt, createAccount } from '../support/account.ts'
import { readCard, textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { runInstances } from '../support/running.ts'
import { create } from '../support/service.ts'
import { times } from '../support/times.ts'
import { until, watch, watchSynced } from '../support/viewer.ts'

type Page = { page: number; version: number; cards: { id: string; position: number; status: string }[] }

const { here, there } = await runInstances()
const ann = await createAccount(here)
const channel_id = await createChannel(ann, { name: 'Long' })
const cards = `/channels/${channel_id}/cards`
const ids: string[] = []
// A little more than seven pages: 0, 1 and 2 are archived.
for (let i = 0; i < 9; i++) {
  ids.push(...(await times(50, async () => (await create(ann.key, cards, textCard(`${i}`))).id)))
}

const page = (number: number, headers: Record<string, string> = {}) =>
  ann.session<Page>('GET', `/channels/${channel_id}/pages/${number}`, undefined, headers)

test('archived and live pages have 64 cards each, oldest first', async () => {
  const seen: string[] = []
  for (let number = 0; number <= 7; number++) {
    const { status, body } = await page(number)
    expect(status).toBe(200)
    expect(body.page).toBe(number)
    expect(body.cards.map(({ position }) => position)).toEqual(
      Array.from({ length: number < 7 ? 64 : 2 }, (_, i) => number * 64 + i),
    )
    seen.push(...body.cards.map(({ id }) => id))
  }
  expect(new Set(seen)).toEqual(new Set(ids))
  expect((await page(8)).status).toBe(404)
  const [archived] = seen
  expect(await readCard(ann.key, `${cards}/${archived}`)).toMatchObject({ id: archived })
  await expectRowsMatchDocument(here.sql, channel_id)
})

test('a page has a strong ETag, and returns 304 until it changes', async () => {
  for (const number of [0, 7]) {
    const first = await page(number)
    const etag = first.headers.get('ETag') ?? ''
    expect(etag).toMatch(/^"[^"]+"$/)
    expect((await page(number, { 'If-None-Match': etag })).status).toBe(304)
    const card = first.body.cards.at(-1)
    await ann.key('PATCH', `${cards}/${card?.id}`, { status: 'warning' })
    const changed = await page(number, { 'If-None-Match': etag })
    expect(changed.status).toBe(200)
    expect(changed.headers.get('ETag')).not.toBe(etag)
    expect(changed.body.version).toBeGreaterThan(first.body.version)
    expect(changed.body.cards.at(-1)).toMatchObject({ id: card?.id, status: 'warning' })
  }
})

test('a PATCH or DELETE of an archived card raises `touched` within a second, on both instances', async () => {
  const viewers = await Promise.all(
    [here, there].map(({ url }) => watchSynced(url, channel_id, { token: ann.api_key })),
  )
  for (const { key: call } of [ann, accountAt(there, ann)]) {
    for (const method of ['PATCH', 'DELETE']) {
      const { body } = await page(1)
      const card = body.cards[0]
      await call(method, `${cards}/${card?.id}`, method === 'PATCH' ? { status: 'error' } : undefined)
      for (const viewer of viewers) {
        const touched = () => touchedOf(viewer.doc)?.get('1') ?? 0
        await until(() => touched() > body.version, 'touched is raised')
        const after = await page(1)
        expect(after.body.version).toBe(touched())
        const found = after.body.cards.find(({ id }) => id === card?.id)
        expect(found?.status).toBe(method === 'PATCH' ? 'error' : undefined)
      }
    }
  }
  await expectRowsMatchDocument(here.sql, channel_id)
})

test('`touched` forgets what changed more than an hour ago, and nothing else', async () => {
  const viewer = watch(here.url, channel_id, { token: ann.api_key })
  const first = async (number: number) => (await page(number)).body.cards[0]?.id
  const touch = async (number: number) =>
    ann.key('PATCH', `${cards}/${await first(number)}`, { status: 'pending' })
  await touch(0)
  await touch(1)
  await here.sql`
    update page_versions set updated_at = now() - interval '61 minutes' where channel_id = ${channel_id} and page = 0`
  await touch(2)
  await until(() => touchedOf(viewer.doc)?.has('2') === true, 'page 2 is touched')
  expect([...(touchedOf(viewer.doc)?.keys() ?? [])].sort()).toEqual(['1', '2'])

  // A turn that archives and changes a page doesn't know the other touched pages, and keeps them.
  const oldest = viewer.cards()[0]
  const post = () => create(ann.key, cards, textCard())
  await times(61, post)
  await Promise.all([times(5, post), ann.key('PATCH', `${cards}/${oldest?.id}`, { status: 'success' })])
  await until(() => viewer.cards()[0]?.position === 256, 'page 3 is archived')
  expect([...(touchedOf(viewer.doc)?.keys() ?? [])]).toEqual(expect.arrayContaining(['1', '2']))
  await expectRowsMatchDocument(here.sql, channel_id)
})

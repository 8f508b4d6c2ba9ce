// Tests of two instances on one database, for every kind of bus.
import { isDeepStrictEqual } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { openPage } from '../support/open-page.ts'
import {
  caller,
  createTestChannel,
  type Owner,
  startTestService,
  type TestService,
} from '../support/service.ts'
import { until, watch } from '../support/viewer.ts'

/** `cut` cuts the connection that brings notices to `there`. */
export function testTwoInstances(
  env: () => Record<string, string>,
  cut: (there: TestService) => Promise<unknown>,
): void {
  let here: TestService
  let there: TestService
  let owner: Owner

  beforeAll(async () => {
    here = await startTestService(env())
    there = await startTestService(env(), { database: here.database })
    owner = await here.createOwner()
  })
  afterAll(async () => {
    await there.stop()
    await here.stop()
  })

  const other = () => caller(`${there.url}/api/v1`, { Authorization: `Bearer ${owner.api_key}` })
  const text = (content: string) => ({ blocks: [{ type: 'text', id: 't', content }] })

  test('a card created on one instance can be patched on the other at once', async () => {
    const cards = `/channels/${await createTestChannel(owner)}/cards`
    await other()('POST', cards, text('so that its document is in memory there'))
    for (let i = 0; i < 10; i++) {
      const { body } = await owner.call<{ id: string }>('POST', cards, text('fresh'))
      const patch = { blocks: [{ id: 't', patch: { content: `patched ${i}` } }] }
      expect(await other()('PATCH', `${cards}/${body.id}`, patch)).toMatchObject({ status: 200 })
      expect(await owner.call('DELETE', `${cards}/${body.id}`)).toMatchObject({ status: 204 })
      expect(await other()('PATCH', `${cards}/${body.id}`, patch)).toMatchObject({ status: 404 })
    }
  })

  test('a mutation sees what the other instance has written, even if it is rejected', async () => {
    const cards = `/channels/${await createTestChannel(owner)}/cards`
    const button = (label: string, id: string) => ({ type: 'button', id: 'b', buttons: [{ id, label }] })
    const { body } = await owner.call<{ id: string }>('POST', cards, { blocks: [button('One', 'one')] })
    const path = `${cards}/${body.id}`
    expect(await other()('PATCH', path, { status: 'success' })).toMatchObject({ status: 200 })
    for (let i = 0; i < 10; i++) {
      const added = { blocks: [{ id: 'b', patch: { buttons: [{ id: `new ${i}`, label: 'New' }] } }] }
      expect(await owner.call('PATCH', path, added)).toMatchObject({ status: 200 })
      const relabelled = {
        blocks: [{ id: 'b', patch: { buttons: [{ id: `new ${i}`, patch: { label: 'X' } }] } }],
      }
      expect(await other()('PATCH', path, relabelled)).toMatchObject({ status: 200 })
      const empty = await owner.call<{ blocks: { buttons: { label: string }[] }[] }>('PATCH', path, {})
      expect(empty.body.blocks[0]?.buttons.at(-1)?.label).toBe('X')
    }
  })

  test('if both instances write to one channel, nothing is lost and all viewers converge', async () => {
    const channel_id = await createTestChannel(owner)
    const cards = `/channels/${channel_id}/cards`
    const viewers = [here, there].flatMap(({ url }) => [
      watch(url, channel_id, { token: owner.api_key }),
      watch(url, channel_id, { token: owner.api_key, version: '2.1' }),
    ])
    const first = await owner.call<{ id: string }>('POST', cards, {
      blocks: [{ type: 'kv', id: 'log', rows: [] }],
    })
    const write = async (call: typeof owner.call, who: string) => {
      const ids: string[] = []
      for (let i = 0; i < 30; i++) {
        const made = await call<{ id: string }>('POST', cards, text(`${who} ${i}`))
        expect(made.status).toBe(201)
        ids.push(made.body.id)
        const rows = [{ key: who, value: String(i) }]
        const patch = { blocks: [{ id: 'log', patch: { append_rows: rows } }] }
        expect((await call('PATCH', `${cards}/${first.body.id}`, patch)).status).toBe(200)
        if (i % 5 === 4) expect((await call('DELETE', `${cards}/${ids.shift()}`)).status).toBe(204)
      }
      return ids
    }
    const written = await Promise.all([
      write(owner.call, 'here'),
      write(other(), 'there'),
      write(other(), 'there too'),
    ])
    await expectRowsMatchDocument(here.sql, channel_id)
    const expected = [first.body.id, ...written.flat()].sort()
    for (const viewer of viewers) {
      const ids = () => viewer.cards().map(({ id }) => id)
      // Compares ids, because there are as many cards before the last one is deleted.
      await until(() => isDeepStrictEqual(ids().sort(), expected), 'every card')
      await viewer.sees(([log]) => log?.blocks[0]?.type === 'kv' && log.blocks[0].rows.length === 90, 'rows')
      await until(() => isDeepStrictEqual(viewer.cards(), viewers[0]?.cards()), 'all see the same')
      viewer.leave()
    }
  })

  test('notices that were missed while the connection was cut are made up for', async () => {
    const channel_id = await createTestChannel(owner)
    const viewer = watch(there.url, channel_id, { token: owner.api_key })
    await until(() => viewer.provider.synced, 'the viewer is synced')
    for (let i = 0; i < 5; i++) {
      // The card's notice races with the cut. The viewer gets the card in any case.
      await Promise.all([cut(there), owner.call('POST', `/channels/${channel_id}/cards`, text('in the gap'))])
      await viewer.sees(cards => cards.length === i + 1, 'a card whose notice may be lost')
    }
    viewer.leave()
  })

  test('a channel that was deleted without a notice is gone after the connection was cut', async () => {
    const channel_id = await createTestChannel(owner)
    const lists = ['cards', 'actions', 'interactions'].map(name => `/channels/${channel_id}/${name}`)
    for (const path of lists) expect(await other()('GET', path)).toMatchObject({ status: 200 })
    // As if an instance died between the deletion and its notice.
    await here.sql`delete from channels where id = ${channel_id}`
    await cut(there)
    for (const path of lists)
      await until(async () => (await other()('GET', path)).status === 404, `${path} is gone`)
  })

  test('an open workspace page gets changes from the other instance', async () => {
    const [workspace] = await here.sql<{ slug: string }[]>`
      update workspaces set visibility = 'public' where id = ${owner.workspace_id} returning slug`
    const page = await openPage(there.url, workspace?.slug ?? '')
    const channel_id = await createTestChannel(owner)
    await page.sees(({ channels }) => channels.some(({ id }) => id === channel_id), 'the new channel')
    for (let i = 1; i <= 3; i++) {
      await owner.call('POST', `/channels/${channel_id}/cards`, text(`card ${i}`))
      await page.counts(channel_id, i)
    }
    await owner.call('PATCH', `/channels/${channel_id}`, { name: 'Renamed' })
    await page.sees(({ channels }) => channels.some(({ name }) => name === 'Renamed'), 'the new name')
    page.leave()
  })
}

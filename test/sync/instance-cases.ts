// Tests of two instances on one database, for every kind of bus.
import { isDeepStrictEqual } from 'node:util'
import { expect, test } from 'vitest'
import { createEndQuestion } from '../../server/model/end-question.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { accountAt, createAccount } from '../support/account.ts'
import { createTestChannel, pushCard, textCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { ask, decisionOf, waitFor } from '../support/decisions.ts'
import { openPage } from '../support/open-page.ts'
import type { Call, TestService } from '../support/service.ts'
import { until, watch, watchSynced } from '../support/viewer.ts'

/** `cut` cuts the connection that brings notices to `there`. */
export async function testTwoInstances(
  { here, there }: { here: TestService; there: TestService },
  cut: () => PromiseLike<unknown>,
): Promise<void> {
  const ann = await createAccount(here)
  const other = accountAt(there, ann)

  test('a card created on one instance can be patched on the other at once', async () => {
    const cards = await createTestChannel(ann)
    await pushCard(other.key, cards, textCard('so that its document is in memory there'))
    for (let i = 0; i < 10; i++) {
      const path = await pushCard(ann.key, cards)
      const patch = { blocks: [{ id: 'text', patch: { content: `patched ${i}` } }] }
      expect(await other.key('PATCH', path, patch)).toMatchObject({ status: 200 })
      expect(await ann.key('DELETE', path)).toMatchObject({ status: 204 })
      expect(await other.key('PATCH', path, patch)).toMatchObject({ status: 404 })
    }
  })

  test('a mutation sees what the other instance has written, even if it is rejected', async () => {
    const button = { type: 'button', id: 'b', buttons: [{ id: 'one', label: 'One' }] }
    const path = await pushCard(ann.key, await createTestChannel(ann), { blocks: [button] })
    const patchButtons = (call: Call, change: object) =>
      call('PATCH', path, { blocks: [{ id: 'b', patch: { buttons: [change] } }] })
    expect(await other.key('PATCH', path, { status: 'success' })).toMatchObject({ status: 200 })
    for (let i = 0; i < 10; i++) {
      const id = `new ${i}`
      expect(await patchButtons(ann.key, { id, label: 'New' })).toMatchObject({ status: 200 })
      expect(await patchButtons(other.key, { id, patch: { label: 'X' } })).toMatchObject({ status: 200 })
      const empty = await ann.key<{ blocks: { buttons: { label: string }[] }[] }>('PATCH', path, {})
      expect(empty.body.blocks[0]?.buttons.at(-1)?.label).toBe('X')
    }
  })

  test('if both instances write to one channel, nothing is lost and all viewers converge', async () => {
    const channel_id = await createChannel(ann)
    const cards = `/channels/${channel_id}/cards`
    const viewers = [here, there].flatMap(({ url }) =>
      (['3.1', '2.1'] as const).map(version => watch(url, channel_id, { token: ann.api_key, version })),
    )
    const log = await pushCard(ann.key, cards, { blocks: [{ type: 'kv', id: 'log', rows: [] }] })
    const write = async (call: Call, who: string) => {
      const paths: string[] = []
      for (let i = 0; i < 30; i++) {
        paths.push(await pushCard(call, cards, textCard(`${who} ${i}`)))
        const patch = { append_rows: [{ key: who, value: String(i) }] }
        expect((await call('PATCH', log, { blocks: [{ id: 'log', patch }] })).status).toBe(200)
        if (i % 5 === 4) expect((await call('DELETE', paths.shift() ?? '')).status).toBe(204)
      }
      return paths
    }
    const written = await Promise.all([
      write(ann.key, 'here'),
      write(other.key, 'there'),
      write(other.key, 'there too'),
    ])
    await expectRowsMatchDocument(here.sql, channel_id)
    const expected = [log, ...written.flat()].sort()
    for (const viewer of viewers) {
      const paths = () => viewer.cards().map(({ id }) => `${cards}/${id}`)
      // Compares ids, because there are as many cards before the last one is deleted.
      await until(() => isDeepStrictEqual(paths().sort(), expected), 'every card')
      await viewer.sees(([log]) => log?.blocks[0]?.type === 'kv' && log.blocks[0].rows.length === 90, 'rows')
      await until(() => isDeepStrictEqual(viewer.cards(), viewers[0]?.cards()), 'all see the same')
    }
  })

  test('notices that were missed while the connection was cut are made up for', async () => {
    const channel_id = await createChannel(ann)
    const viewer = await watchSynced(there.url, channel_id, { token: ann.api_key })
    for (let i = 0; i < 5; i++) {
      // The card's notice races with the cut. The viewer gets the card in any case.
      await Promise.all([cut(), pushCard(ann.key, `/channels/${channel_id}/cards`)])
      await viewer.sees(cards => cards.length === i + 1, 'a card whose notice may be lost')
    }
  })

  test('a channel that was deleted without a notice is gone after the connection was cut', async () => {
    const channel_id = await createChannel(ann)
    const lists = ['cards', 'actions', 'interactions'].map(name => `/channels/${channel_id}/${name}`)
    for (const path of lists) expect(await other.key('GET', path)).toMatchObject({ status: 200 })
    // As if an instance died between the deletion and its notice.
    await here.sql`delete from channels where id = ${channel_id}`
    await cut()
    for (const path of lists)
      await until(async () => (await other.key('GET', path)).status === 404, `${path} is gone`)
  })

  test('D2: a request that waits on the other instance learns within a second of a press', async () => {
    const channel_id = await createChannel(ann, { mode: 'interactive' })
    for (let i = 0; i < 3; i++) {
      const { card_id, id, path } = await ask(ann.key, channel_id)
      const answer = waitFor(other.key, path)
      await until(() => there.waits.open.some(({ decision_id }) => decision_id === id), 'it waits')
      const began = performance.now()
      const trigger = { type: 'button_click', button_id: 'yes' }
      await ann.session('POST', `/channels/${channel_id}/interactions`, { card_id, trigger })
      expect((await answer).body).toMatchObject({ id, state: 'decided' })
      expect(performance.now() - began).toBeLessThan(1_000)
    }
  })

  test('D9: a question that is abandoned on one instance closes on the other within a second', async () => {
    const endQuestion = createEndQuestion({ feeds: here.feeds, logged: () => {} })
    const channel_id = await createChannel(ann)
    const viewer = await watchSynced(there.url, channel_id, { token: ann.api_key })
    const end = async (decision: object, wait_s: number) => {
      const { card_id, id, path } = await ask(ann.key, channel_id, decision)
      const answer = waitFor(other.session, path, wait_s)
      await until(() => there.waits.open.some(({ decision_id }) => decision_id === id), 'it waits')
      const began = performance.now()
      const question = { channel_id, owner_id: ann.user_id, card_id, decision_id: id }
      return { ended: await endQuestion(question, 'abandon'), id, answer, began }
    }
    const { ended, id, answer, began } = await end({ abandon: 'cancel' }, 50)
    expect(ended).toBe(true)
    expect((await answer).body).toMatchObject({ id, state: 'cancelled', reason: 'abandoned' })
    await viewer.sees(([card]) => decisionOf(card)?.reason === 'abandoned')
    expect(performance.now() - began).toBeLessThan(1_000)
    const kept = await end({}, 1)
    expect([kept.ended, (await kept.answer).body.state]).toEqual([false, 'waiting'])
  })

  test('an open workspace page gets changes from the other instance', async () => {
    await patchWorkspace(ann, { visibility: 'public' })
    const page = await openPage(there.url, ann.slug)
    const channel_id = await createChannel(ann)
    await page.sees(({ channels }) => channels.some(({ id }) => id === channel_id), 'the new channel')
    for (let i = 1; i <= 3; i++) {
      await pushCard(ann.key, `/channels/${channel_id}/cards`)
      await page.counts(channel_id, i)
    }
    await ann.key('PATCH', `/channels/${channel_id}`, { name: 'Renamed' })
    await page.sees(({ channels }) => channels.some(({ name }) => name === 'Renamed'), 'the new name')
  })
}

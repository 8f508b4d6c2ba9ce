// P6: changes on one instance, none of whose notices reaches the other, as if it died right after its response.
// The other instance counts as connected, and its viewers must get the changes without another write.
import { describe, expect, test } from 'vitest'
import { firstCards } from '../../shared/first-cards.ts'
import { pushCard } from '../support/cards.ts'
import { loseNotices } from '../support/database.ts'
import { idOf } from '../support/event-scene.ts'
import { listenTo } from '../support/event-stream.ts'
import { openPage } from '../support/open-page.ts'
import { runDatabase, runInstances } from '../support/running.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { type StockVersion, until, watch } from '../support/viewer.ts'

const database = await runDatabase()
await loseNotices(database)
const { here, there } = await runInstances({}, { database })

/** Without notices, a change must show this soon. */
const P6_MS = 10_000

const post = ({ account, channel_id }: Scene) => pushCard(account.key, `/channels/${channel_id}/cards`)

// Each test waits for the other instance's next check.
describe.concurrent('an instance that receives no notices', () => {
  test.each<StockVersion>(['3.1', '2.1'])(
    'a viewer with client %s sees a card of which its instance got no notice',
    async version => {
      const scene = await buildScene(here)
      const viewer = watch(there.url, scene.channel_id, { version, token: scene.account.api_key })
      expect(await viewer.atSync).toHaveLength(1)
      await post(scene)
      await viewer.sees(cards => cards.length === 2)
      viewer.leave()
    },
  )

  test('the first cards show a card within ten seconds, also if nobody watches', async () => {
    const scene = await buildScene(here)
    const shown = async () => {
      const response = await fetch(`${there.url}/api/channels/${scene.channel_id}/first-cards`)
      const { pages } = firstCards.parse(await response.json())
      return pages.reduce((sum, { cards }) => sum + cards.length, 0)
    }
    expect(await shown()).toBe(1)
    await post(scene)
    const began = performance.now()
    await until(async () => (await shown()) === 2, 'the card')
    expect(performance.now() - began).toBeLessThan(P6_MS)
  })

  test('an event stream reports cards and interactions', async () => {
    const scene = await buildScene(here)
    const stream = await listenTo(there.url, scene.account.api_key, scene.channel_id)
    const id = idOf(await post(scene))
    expect(await stream.next()).toMatchObject({ event: 'card.inserted', data: { id } })
    const comments = stream.comments.length
    for (const text of ['first', 'second']) {
      await scene.reply(text)
      expect(await stream.next()).toMatchObject({ event: 'interaction.created', data: { trigger: { text } } })
    }
    expect(stream.comments.length - comments, 'they do not wait for a keep-alive each').toBeLessThan(2)
    stream.leave()
  })

  test('an open workspace page counts cards, and drops a deleted channel', async () => {
    const scene = await buildScene(here)
    const { account, channel_id } = scene
    const page = await openPage(there.url, account.slug)
    for (let count = 1; count <= 3; count++) {
      await page.counts(channel_id, count)
      await post(scene)
    }
    await account.key('DELETE', `/channels/${channel_id}`)
    await page.sees(({ channels }) => channels.length === 0, 'the channel is gone')
    page.leave()
  })
})

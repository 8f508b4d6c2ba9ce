// A channel with receipts in a public workspace, two instances, and two people: Olga owns it, Sam has no role.
import { beforeEach } from 'vitest'
import type * as Y from 'yjs'
import type { PlacedCard } from '../../shared/card.ts'
import type { CardActs, HeaderActs } from '../../shared/receipt.ts'
import { createAccount } from './account.ts'
import { runInstance, runService } from './running.ts'
import { buildScene, type Scene } from './scene.ts'
import { watchSynced } from './viewer.ts'

export async function runReceiptScene() {
  const service = await runService({ DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', ACT_LIMIT: '0' })
  const there = await runInstance(service, { ACT_LIMIT: '0' })
  const olga = await createAccount(service)
  await olga.session('PATCH', '/auth/account', { name: 'Olga' })
  const sam = await createAccount(service)
  await sam.session('PATCH', '/auth/account', { name: 'Sam' })

  const scene: Scene = await buildScene(service, { account: olga })
  beforeEach(async () => {
    // Tests keep the object, and each has a channel of its own.
    Object.assign(scene, await buildScene(service, { account: olga }))
    await set('on')
  })

  const channelPath = () => `/channels/${scene.channel_id}`
  const set = (receipts: string) => olga.session('PATCH', channelPath(), { receipts })
  const go = (card_id = scene.card_id) => ({ card_id, trigger: { type: 'button_click', button_id: 'go' } })
  const refresh = () => ({ trigger: { type: 'header_action', action_id: scene.action_id } })

  async function documentOf(url = service.url): Promise<Y.Doc> {
    const viewer = await watchSynced(url, scene.channel_id, { token: olga.api_key })
    return viewer.doc
  }

  async function cardIn(page = 0, card_id = scene.card_id): Promise<PlacedCard | undefined> {
    const { body } = await olga.session<{ cards: PlacedCard[] }>('GET', `${channelPath()}/pages/${page}`)
    return body.cards.find(({ id }) => id === card_id)
  }

  return {
    service,
    there,
    olga,
    sam,
    scene,
    channelPath,
    set,
    go,
    refresh,
    asOlga: { Cookie: olga.cookie },
    asSam: { Cookie: sam.cookie },
    press: (body: object = go(), headers?: Record<string, string>, at = scene) => at.interact(body, headers),
    documentOf,
    cardIn,
    acts: async (): Promise<CardActs | undefined> => (await cardIn())?.acts,
    headerActs: async () => (await documentOf()).getMap<HeaderActs>('channel').get('acts'),
    rows: () => service.sql<{ card_id: string }[]>`
      select card_id from card_receipts where channel_id = ${scene.channel_id}
      union all select channel_id from header_receipts where channel_id = ${scene.channel_id}`,
    async lastSeq(): Promise<number> {
      const [row] = await service.sql<{ seq: number }[]>`
        select seq from documents where channel_id = ${scene.channel_id}`
      return row?.seq ?? 0
    },
  }
}

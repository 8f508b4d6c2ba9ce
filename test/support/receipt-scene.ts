// A channel with receipts in a public workspace, two instances, and two people: Olga owns it, Sam has no role.
import { beforeEach } from 'vitest'
import type * as Y from 'yjs'
import type { PlacedCard } from '../../shared/card.ts'
import type { CardReceipts, HeaderReceipts } from '../../shared/receipt.ts'
import { type Account, createAccount } from './account.ts'
import { runInstance, runService } from './running.ts'
import { buildScene, type Scene } from './scene.ts'
import type { TestService } from './service.ts'
import { watchSynced } from './viewer.ts'

export let service: TestService
export let there: TestService
export let olga: Account
export let sam: Account
/** Headers. */
export let asOlga: { Cookie: string }
export let asSam: { Cookie: string }
export let scene: Scene

/** Call it once per file. The bindings are set when it returns, and each test has a new `scene`. */
export async function setReceiptScene(): Promise<void> {
  service = await runService()
  there = await runInstance(service)
  olga = await createPerson('Olga')
  sam = await createPerson('Sam')
  asOlga = { Cookie: olga.cookie }
  asSam = { Cookie: sam.cookie }
  beforeEach(async () => {
    scene = await buildScene(service, { account: olga })
    await set('on')
  })
}

async function createPerson(name: string) {
  const account = await createAccount(service)
  await account.session('PATCH', '/auth/account', { name })
  return account
}

export const channelPath = () => `/channels/${scene.channel_id}`
export const set = (receipts: string) => olga.session('PATCH', channelPath(), { receipts })
export const go = (card_id = scene.card_id) => ({
  card_id,
  trigger: { type: 'button_click', button_id: 'go' },
})
export const refresh = () => ({ trigger: { type: 'header_action', action_id: scene.action_id } })
export const press = (body: object = go(), headers?: Record<string, string>, at = scene) =>
  at.interact(body, headers)

export async function documentOf(url = service.url): Promise<Y.Doc> {
  const viewer = await watchSynced(url, scene.channel_id, { token: olga.api_key })
  return viewer.doc
}

export async function cardIn(page = 0, card_id = scene.card_id): Promise<PlacedCard | undefined> {
  const { body } = await olga.session<{ cards: PlacedCard[] }>('GET', `${channelPath()}/pages/${page}`)
  return body.cards.find(({ id }) => id === card_id)
}

export const receipts = async (): Promise<CardReceipts | undefined> => (await cardIn())?.acts
export const shownHeaderReceipts = async () =>
  (await documentOf()).getMap<HeaderReceipts>('channel').get('acts')

export const rows = () => service.sql<{ card_id: string }[]>`
  select card_id from card_receipts where channel_id = ${scene.channel_id}
  union all select channel_id from header_receipts where channel_id = ${scene.channel_id}`

export async function lastSeq(): Promise<number> {
  const [row] = await service.sql<{ seq: number }[]>`
    select seq from documents where channel_id = ${scene.channel_id}`
  return row?.seq ?? 0
}

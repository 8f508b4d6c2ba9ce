// The cards that a person pushed from a tab of this browser. They are no news to that person in any of its tabs.
import { createRoot, createSignal } from 'solid-js'
import { connectTabs } from '../lib/other-tabs.ts'

const OWN_MAX = 50

const [own, setOwn] = createRoot(() => createSignal<string[]>([]))
const note = (cardId: string) => void setOwn(ids => [cardId, ...ids].slice(0, OWN_MAX))
const tellTabs = connectTabs('channel-feed-own-cards', note)

export const isOwnCard = (cardId: string) => own().includes(cardId)

export function noteOwnCard(cardId: string): void {
  note(cardId)
  tellTabs(cardId)
}

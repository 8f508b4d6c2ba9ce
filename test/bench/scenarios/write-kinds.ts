// The kinds of writes that are compared: a new card, and what changes one.
import { badgeCard, badgePatch, rowPatch } from '../card.ts'
import type { Write } from '../load/poster.ts'
import { cardsPath } from '../target.ts'

/** Changes and presses take turns on so many of the newest cards. */
const NEWEST = 10

/** `cards`: oldest first. The oldest has the key `oldest`. */
export type Place = { channel_id: string; cards: string[]; person: Record<string, string> }
export type Kind = { name: string; title: string; status: number; write(place: Place, step: number): Write }

const press = JSON.stringify({ button_id: 'rollback', type: 'button_click' })
const newest = ({ cards }: Place, step: number) => cards.at(-1 - (step % NEWEST)) ?? ''
export const oldestPath = (channel_id: string) => `${cardsPath(channel_id)}/by-key/oldest`

/** New cards come first: they fill the channels up. */
export const kinds: Kind[] = [
  {
    name: 'post',
    title: 'POST of a new card',
    status: 201,
    write: ({ channel_id }, step) => ({ method: 'POST', path: cardsPath(channel_id), body: badgeCard(step) }),
  },
  {
    name: 'badge',
    title: 'PATCH of a badge',
    status: 200,
    write: (place, step) => ({
      method: 'PATCH',
      path: `${cardsPath(place.channel_id)}/${newest(place, step)}`,
      body: badgePatch(step),
    }),
  },
  {
    name: 'rows',
    title: 'PATCH with append_rows',
    status: 200,
    write: (place, step) => ({
      method: 'PATCH',
      path: `${cardsPath(place.channel_id)}/${newest(place, step)}`,
      body: rowPatch(step),
    }),
  },
  {
    name: 'put',
    title: 'PUT by key on the oldest card',
    status: 200,
    write: ({ channel_id }, step) => ({
      method: 'PUT',
      path: oldestPath(channel_id),
      body: badgeCard(step + 1),
    }),
  },
  {
    name: 'press',
    title: 'Press with a receipt',
    status: 201,
    write: (place, step) => ({
      method: 'POST',
      path: `/api/channels/${place.channel_id}/interactions`,
      body: `{"card_id":"${newest(place, step)}","trigger":${press}}`,
      person: place.person,
    }),
  },
  {
    name: 'delete',
    title: 'DELETE',
    status: 204,
    write: ({ channel_id, cards }, step) => ({
      method: 'DELETE',
      path: `${cardsPath(channel_id)}/${cards[1 + step]}`,
      body: '',
    }),
  },
]

// What the builder asks of the server, with the session of whoever composes.
import type { z } from 'zod'
import type { Card, createdCard, PatchCardBody, patchedCard } from '../../shared/card.ts'
import type { ListedChannel } from '../../shared/channel.ts'
import { fetchChannels, fetchWorkspaces, type OwnWorkspace } from '../dashboard/api.ts'
import { readJson, send } from '../data/requests.ts'
import { inPath } from './snippets.ts'

export type Place = { workspace: OwnWorkspace; channels: ListedChannel[] }
export type CreatedCard = z.output<typeof createdCard>
export type ChangedCard = z.output<typeof patchedCard>

const NEWEST = 50

/** Every channel that one may push to, by workspace. */
export async function fetchPlaces(): Promise<Place[]> {
  const workspaces = await fetchWorkspaces()
  return Promise.all(
    workspaces.map(async workspace => ({ workspace, channels: await fetchChannels(workspace.id) })),
  )
}

/** Newest first. */
export async function fetchCards(channelId: string): Promise<Card[]> {
  const { cards }: { cards: Card[] } = await readJson(await send(`${cardsPath(channelId)}?limit=${NEWEST}`))
  return cards
}

export async function fetchCard(channelId: string, cardId: string): Promise<Card> {
  return readJson(await send(`${cardsPath(channelId)}/${encodeURIComponent(cardId)}`))
}

/** `once`: sent again with the same one, the card is made once. */
export function postCard(channelId: string, body: unknown, once: string): Promise<CreatedCard> {
  return tell('POST', cardsPath(channelId), body, once)
}

/** What there is under the key is replaced. */
export function putCard(channelId: string, key: string, body: unknown): Promise<CreatedCard | ChangedCard> {
  return tell('PUT', `${cardsPath(channelId)}/by-key/${inPath(key)}`, body)
}

export function patchCard(
  channelId: string,
  cardId: string,
  body: PatchCardBody,
  once: string,
): Promise<ChangedCard> {
  return tell('PATCH', `${cardsPath(channelId)}/${encodeURIComponent(cardId)}`, body, once)
}

const cardsPath = (channelId: string) => `/api/channels/${encodeURIComponent(channelId)}/cards`

async function tell<T>(method: string, path: string, body: unknown, once?: string): Promise<T> {
  const headers = { 'Content-Type': 'application/json', ...(once && { 'Idempotency-Key': once }) }
  return readJson(await send(path, { method, headers, body: JSON.stringify(body) }))
}

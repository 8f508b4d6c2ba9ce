// The rules of pages: 64 cards each, of which the newest five are live. A change to an older one raises its version.
import type { CardState } from './cards.ts'
import type { World } from './world.ts'

const CARDS = 64
const LIVE = 5

export const pageOf = (position: number) => Math.floor(position / CARDS)

export function oldestLivePage({ next_position }: Pick<World, 'next_position'>): number {
  return Math.max(0, pageOf(Math.max(0, next_position - 1)) - LIVE + 1)
}

/** Remembers a change to a card of an archived page. */
export function touch(world: World, { position }: CardState, seq: number): void {
  const page = pageOf(position)
  if (page < oldestLivePage(world)) world.touched.set(page, seq)
}

// The rules of pages: 64 cards each, of which the newest five are live, or fewer if these would be too large. A change to an
// older one raises its version.
import type { CardState } from './cards.ts'
import type { World } from './world.ts'

const CARDS = 64
const LIVE = 5

export const pageOf = (position: number) => Math.floor(position / CARDS)

export function oldestLivePage({ next_position, left = 0 }: Pick<World, 'next_position' | 'left'>): number {
  return Math.max(left, pageOf(Math.max(0, next_position - 1)) - LIVE + 1)
}

/** Remembers a change to a card. */
export function touch(world: World, { position }: CardState, seq: number): void {
  world.changed.set(pageOf(position), seq)
  archive(world, seq)
}

/** The position of a new card. If it begins a page, an old page leaves; what the same turn has changed there is touched. */
export function takePosition(world: World, seq: number): number {
  const position = world.next_position++
  archive(world, seq)
  return position
}

function archive(world: World, seq: number): void {
  for (const [page, changed] of world.changed)
    if (changed === seq && page < oldestLivePage(world)) world.touched.set(page, seq)
}

// Viewers of channels, spread over two processes.
import { emptyStateVector } from './load/dialects.ts'
import type { Seen, Viewers } from './load/viewers.ts'
import type { Context } from './scenario.ts'
import { type Running, syncPath } from './target.ts'

export type Audience = ReturnType<typeof audience>

export function audience(context: Context) {
  const halves = [0, 1].map(() => context.remote<Viewers>('viewers.ts'))
  const all = <T>(ask: (half: (typeof halves)[number], at: number) => Promise<T>) =>
    Promise.all(halves.map(ask))
  return {
    /** Returns the milliseconds until the last one is synced. */
    async join(
      running: Running,
      channelIds: string[],
      options: { state_vector: Uint8Array; at_once: boolean } = {
        state_vector: emptyStateVector,
        at_once: false,
      },
    ) {
      const { port, dialect } = running
      const places = channelIds.map(channel_id => ({ channel_id, path: syncPath(channel_id, running) }))
      const times = await all((half, at) => {
        const mine = places.filter((_, i) => i % halves.length === at)
        return half.call('join', { port, dialect, places: mine, ...options })
      })
      return Math.max(...times)
    },
    async reset() {
      await all(half => half.call('reset', null))
    },
    /** Waits until every viewer has that many cards since the reset, at most `patience` seconds. */
    async seen(cards: number, patience: number): Promise<Seen> {
      return (await all(half => half.call('seen', { cards, patience }))).reduce((a, b) => ({
        deliveries: a.deliveries + b.deliveries,
        fewest: Math.min(a.fewest, b.fewest),
        frames: a.frames + b.frames,
        closed: a.closed + b.closed,
        latencies: a.latencies.concat(b.latencies),
      }))
    },
    async leave() {
      await all(half => half.call('leave', null))
    },
  }
}

// Loads the scripts that need Yjs, after the first cards. A browser never asks again for a script that failed to load,
// so the page reloads once the server responds.
import { ChannelFeedError, ConnectionError } from '../../../client/errors.ts'
import { fetchView } from '../client.ts'

export type LiveScripts = typeof import('./live-document.ts')

const FIRST_DELAY_MS = 2_000
/** If an earlier reload didn't help. */
const LATER_DELAY_MS = 8_000

export const loadLiveScripts = (): Promise<LiveScripts> => import('./live-document.ts')

export async function reloadPage(channelId: string, isStopped: () => boolean): Promise<void> {
  do await pause(wasReloaded() ? LATER_DELAY_MS : FIRST_DELAY_MS)
  while (!isStopped() && !(await responds(channelId)))
  if (!isStopped()) location.reload()
}

function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
}

/** An error response counts too. */
async function responds(channelId: string): Promise<boolean> {
  try {
    await fetchView(channelId)
    return true
  } catch (error) {
    return error instanceof ChannelFeedError && !(error instanceof ConnectionError)
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

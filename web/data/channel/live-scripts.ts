// The scripts that need Yjs, loaded after the first cards. Within a page a browser does not ask again for a script that
// did not come: then the page is loaded anew, once the server answers.
import { ChannelFeedError, ConnectionError } from '../../../client/errors.ts'
import { fetchView } from '../client.ts'

export type LiveScripts = typeof import('./live-document.ts')

const SOON_MS = 2_000
/** Where that was done before, and did not help. */
const LATER_MS = 8_000

export const loadLiveScripts = (): Promise<LiveScripts> => import('./live-document.ts')

/** `isOver`: nobody waits for them any more. */
export async function loadPageAnew(channelId: string, isOver: () => boolean): Promise<void> {
  do await pause(wasLoadedAnew() ? LATER_MS : SOON_MS)
  while (!isOver() && !(await answers(channelId)))
  if (!isOver()) location.reload()
}

function wasLoadedAnew(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
}

/** A refusal is an answer too. */
async function answers(channelId: string): Promise<boolean> {
  try {
    await fetchView(channelId)
    return true
  } catch (error) {
    return error instanceof ChannelFeedError && !(error instanceof ConnectionError)
  }
}

const pause = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

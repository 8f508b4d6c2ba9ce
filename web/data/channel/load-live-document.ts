// Loads the scripts that need Yjs, after the first cards. Browsers don't retry a failed script, so the page reloads.
import { ChannelFeedError, ConnectionError } from '../../../client/errors.ts'
import { patience } from '../../lib/patience.ts'
import { fetchView } from '../viewer-requests.ts'

const FIRST_DELAY_MS = 2_000
const LATER_DELAY_MS = 8_000

export function makeLoader(channelId: string, onFailed: () => void, isStopped: () => boolean) {
  let scripts: Promise<typeof import('./live-document.ts') | undefined> | undefined
  return () => {
    scripts ??= import('./live-document.ts').catch(() => {
      onFailed()
      reloadPage(channelId, isStopped)
      return undefined
    })
    return scripts
  }
}

async function reloadPage(channelId: string, isStopped: () => boolean): Promise<void> {
  do await patience(wasReloaded() ? LATER_DELAY_MS : FIRST_DELAY_MS)
  while (!isStopped() && !(await responds(channelId)))
  if (!isStopped()) location.reload()
}

function wasReloaded(): boolean {
  const [navigation] = performance.getEntriesByType('navigation')
  return navigation instanceof PerformanceNavigationTiming && navigation.type === 'reload'
}

function responds(channelId: string): Promise<boolean> {
  return fetchView(channelId).then(
    () => true,
    error => error instanceof ChannelFeedError && !(error instanceof ConnectionError),
  )
}

// Replaces a page that failed, or whose code couldn't be loaded.
import type { JSX } from 'solid-js'
import { listen } from '../lib/listen.ts'
import { mayBeLeaving } from '../lib/page-life.ts'
import { Button } from '../ui/button.tsx'
import { IconCloudOff } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { isMissingPart } from './app-version.ts'
import { TopBar } from './top-bar.tsx'

const reload = () => location.reload()

export function PageError({ error }: { error: unknown }): JSX.Element {
  const missing = isMissingPart(error)
  if (!missing || !mayBeLeaving()) console.error(error)
  if (missing) listen(window, 'online', reload)
  return (
    <>
      <TopBar />
      <main class="page">
        {missing ? (
          <Notice title="Not on this device yet" icon={<IconCloudOff />}>
            <p>Reconnect to open this page.</p>
            <Button onClick={reload}>Try again</Button>
          </Notice>
        ) : (
          <Notice title="Something went wrong">
            <p>Reload the page. Your drafts are saved.</p>
            <Button class="button button-primary" onClick={reload}>
              Reload
            </Button>
          </Notice>
        )}
      </main>
    </>
  )
}

// Replaces a page that failed, or whose code couldn't be loaded.
import type { JSX } from 'solid-js'
import { listen } from '../lib/listen.ts'
import { Button } from '../ui/button.tsx'
import { IconCloudOff } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { isMissingPart } from './app-version.ts'
import { TopBar } from './top-bar.tsx'

const reload = () => location.reload()

export function PageError(props: { error: unknown }): JSX.Element {
  console.error(props.error)
  return (
    <>
      <TopBar />
      <main class="page">{isMissingPart(props.error) ? <MissingPart /> : <Failure />}</main>
    </>
  )
}

function MissingPart(): JSX.Element {
  listen(window, 'online', reload)
  return (
    <Notice title="Not on this device yet" icon={<IconCloudOff />}>
      <p>This page has never been opened here. It opens when you are online.</p>
      <Button onClick={reload}>Try again</Button>
    </Notice>
  )
}

function Failure(): JSX.Element {
  return (
    <Notice title="Something went wrong">
      <p>Reload the page. What you typed is kept.</p>
      <Button class="button button-primary" onClick={reload}>
        Reload
      </Button>
    </Notice>
  )
}

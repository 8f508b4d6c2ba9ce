// Home: the dashboard for users, an introduction for visitors. Offline, the channels stored on this device.
import { type JSX, lazy, Show } from 'solid-js'
import { useSession } from '../data/session.tsx'
import { SeenChannels } from '../shell/seen-channels.tsx'
import { SessionCheck } from '../shell/session-check.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'

const Welcome = lazy(() => import('./welcome.tsx'))
const DashboardPages = lazy(() => import('./dashboard.tsx'))

export default function HomePage(): JSX.Element {
  const { session } = useSession()
  return (
    <Show when={session().state === 'signed-in'} fallback={<VisitorHome />}>
      <DashboardPages />
    </Show>
  )
}

function VisitorHome(): JSX.Element {
  const { session } = useSession()
  createDocumentTitle(() => undefined)
  return (
    <>
      <TopBar />
      <main class="page">
        <Show when={session().state === 'signed-out'} fallback={<SessionCheck />}>
          <Welcome />
        </Show>
        {/* Reads the list again when the session is known: without one, private channels are deleted from the device. */}
        <Show when={session().state} keyed>
          {_ => <SeenChannels />}
        </Show>
      </main>
    </>
  )
}

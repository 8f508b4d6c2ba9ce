// Home: the dashboard for users, an introduction for visitors. Offline, the channels stored on this device.
import { A } from '@solidjs/router'
import { type JSX, lazy, Show } from 'solid-js'
import { useSession } from '../data/session.tsx'
import { SeenChannels } from '../shell/seen-channels.tsx'
import { SessionCheck } from '../shell/session-check.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { Notice } from '../ui/notice.tsx'

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
          <Notice title="Live feeds for your automations">
            <p>
              Scripts and services push cards into channels over a small REST API. Viewers see them at once
              and can read them offline.
            </p>
            <div class="line">
              <A class="button button-primary" href="/sign-in">
                Sign in
              </A>
              <A class="button button-secondary" href="/sign-up">
                Create an account
              </A>
            </div>
          </Notice>
        </Show>
        {/* Reads the list again when the session is known: without one, private channels are deleted from the device. */}
        <Show when={session().state} keyed>
          {_ => <SeenChannels />}
        </Show>
      </main>
    </>
  )
}

// The dashboard's pages, in one bundle: people move between them often.
import '../dashboard/dashboard.css'
import '../dashboard/parts.css'
import { useMatch } from '@solidjs/router'
import { type Component, createMemo, type JSX, lazy, Show } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { DashboardHome } from '../dashboard/home.tsx'
import { cacheDashboard } from '../shell/app-version.ts'
import { AccountPage } from './account.tsx'
import { ApiKeysPage } from './api-keys.tsx'
import { ChannelLogPage } from './channel-log.tsx'
import { ChannelSettingsPage } from './channel-settings.tsx'
import { FirstRunPage } from './first-run.tsx'
import NotFoundPage from './not-found.tsx'
import { UsagePage } from './usage.tsx'
import { WorkspaceSettingsPage } from './workspace-settings.tsx'

/** Larger than all other pages together, and rarely opened. */
const BuilderPage = lazy(() => import('./builder.tsx'))

const PAGES: [path: string, page: Component<{ id: string }>][] = [
  ['/', DashboardHome],
  ['/dashboard', DashboardHome],
  ['/dashboard/start', FirstRunPage],
  ['/dashboard/keys', ApiKeysPage],
  ['/dashboard/usage', UsagePage],
  ['/dashboard/builder', BuilderPage],
  ['/dashboard/account', AccountPage],
  ['/dashboard/workspaces/:id', WorkspaceSettingsPage],
  ['/dashboard/channels/:id', ChannelSettingsPage],
  ['/dashboard/channels/:id/log', ChannelLogPage],
]

cacheDashboard()

export default function DashboardPages(): JSX.Element {
  const matches = PAGES.map(([path, page]) => ({ page, match: useMatch(() => path) }))
  const current = createMemo(
    () => {
      const found = matches.find(({ match }) => match() !== undefined)
      return found && { page: found.page, id: found.match()?.params.id ?? '' }
    },
    undefined,
    { equals: (before, after) => before?.page === after?.page && before?.id === after?.id },
  )
  return (
    <Show when={current()} fallback={<NotFoundPage />} keyed>
      {({ page, id }) => <Dynamic component={page} id={id} />}
    </Show>
  )
}

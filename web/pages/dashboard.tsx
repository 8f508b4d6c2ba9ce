// The dashboard's pages, in one bundle: people move between them often.
import '../dashboard/dashboard.css'
import { useMatch } from '@solidjs/router'
import { type JSX, lazy, Match, Switch } from 'solid-js'
import { DashboardHome } from '../dashboard/home.tsx'
import { keepDashboard } from '../shell/app-version.ts'
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

keepDashboard()

export default function DashboardPages(): JSX.Element {
  const home = useMatch(() => '/')
  const alsoHome = useMatch(() => '/dashboard')
  const start = useMatch(() => '/dashboard/start')
  const keys = useMatch(() => '/dashboard/keys')
  const usage = useMatch(() => '/dashboard/usage')
  const builder = useMatch(() => '/dashboard/builder')
  const account = useMatch(() => '/dashboard/account')
  const workspace = useMatch(() => '/dashboard/workspaces/:workspace_id')
  const channel = useMatch(() => '/dashboard/channels/:channel_id')
  const log = useMatch(() => '/dashboard/channels/:channel_id/log')
  return (
    <Switch fallback={<NotFoundPage />}>
      <Match when={home() ?? alsoHome()}>
        <DashboardHome />
      </Match>
      <Match when={start()}>
        <FirstRunPage />
      </Match>
      <Match when={keys()}>
        <ApiKeysPage />
      </Match>
      <Match when={usage()}>
        <UsagePage />
      </Match>
      <Match when={builder()}>
        <BuilderPage />
      </Match>
      <Match when={account()}>
        <AccountPage />
      </Match>
      <Match when={workspace()?.params.workspace_id} keyed>
        {id => <WorkspaceSettingsPage id={id} />}
      </Match>
      <Match when={channel()?.params.channel_id} keyed>
        {id => <ChannelSettingsPage id={id} />}
      </Match>
      <Match when={log()?.params.channel_id} keyed>
        {id => <ChannelLogPage id={id} />}
      </Match>
    </Switch>
  )
}

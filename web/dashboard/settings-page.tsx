// The pages of one channel or workspace: heading, loading and not found, and the section that deletes it.
import { A, useNavigate } from '@solidjs/router'
import { type Accessor, type JSX, Show } from 'solid-js'
import type { ChannelWithActions } from '../../shared/channel.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { api } from '../data/owner-requests.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { IconWarning } from '../ui/icons.tsx'
import { createFreshLoad, failure, Loaded, readyValue } from '../ui/load.tsx'
import { Notice } from '../ui/notice.tsx'
import { showToast } from '../ui/toast.tsx'
import { DashboardPage, type PageLink } from './dashboard-page.tsx'
import { Section, SectionPart } from './section.tsx'
import { DELETED } from './settings-drafts.tsx'

export type ChannelProps = { channel: ChannelWithActions; onChange: (channel: ChannelWithActions) => void }
export type WorkspaceProps = { workspace: ListedWorkspace; onChange: (workspace: ListedWorkspace) => void }

export function SettingsPage<T extends { name: string; icon: string }>(props: {
  kind: 'Channel' | 'Workspace'
  read: () => Promise<T>
  actions?: (value: Accessor<T>) => JSX.Element
  tabs?: PageLink[]
  wide?: boolean
  children: (value: Accessor<T>, set: (value: T) => void) => JSX.Element
}): JSX.Element {
  const { load, again, set } = createFreshLoad(() => props.read())
  const ready = () => readyValue(load())
  const failed = () => failure(load())
  const missing = () => failed()?.status === 403 || failed()?.status === 404
  const fallbackTitle = () => (missing() ? `${props.kind} not found` : failed() && props.kind)
  return (
    <DashboardPage
      title={ready()?.name ?? fallbackTitle()}
      icon={ready()?.icon}
      actions={<Show when={props.actions && ready()}>{value => props.actions?.(value)}</Show>}
      tabs={failed() ? undefined : props.tabs}
      wide={props.wide}
    >
      <Show when={!missing()} fallback={<Missing />}>
        <Loaded load={load()} again={again}>
          {value => props.children(value, set)}
        </Loaded>
      </Show>
    </DashboardPage>
  )
}

const Missing = () => (
  <div role="alert">
    <Notice title="This page was deleted, or you have no access to it." heading="h2" icon={<IconWarning />}>
      <A class="button button-primary" href="/">
        All channels
      </A>
    </Notice>
  </div>
)

export function ChannelPages(props: {
  id: string
  wide?: boolean
  children: (channel: Accessor<ChannelWithActions>, set: (channel: ChannelWithActions) => void) => JSX.Element
}): JSX.Element {
  const base = () => `/dashboard/channels/${props.id}`
  return (
    <SettingsPage
      kind="Channel"
      wide={props.wide}
      read={() => api.channel(props.id).get()}
      tabs={[
        { href: `/c/${props.id}`, name: 'Feed' },
        { href: `${base()}/log`, name: 'Log' },
        { href: base(), name: 'Settings' },
      ]}
    >
      {props.children}
    </SettingsPage>
  )
}

export function DeleteSection(props: {
  kind: 'channel' | 'workspace'
  name: string
  /** What is deleted with it; `details` is the long form. */
  about: string
  details: string
  onDelete: () => Promise<void>
}): JSX.Element {
  const navigate = useNavigate()

  async function remove(): Promise<void> {
    const words = `“${props.name}” deleted`
    await props.onDelete()
    navigate('/', { replace: true, state: DELETED })
    showToast({ words })
  }

  return (
    <Section title="Danger zone">
      <SectionPart
        title={`Delete the ${props.kind}`}
        about={props.about}
        danger
        buttons={
          <ConfirmDialog
            open={`Delete ${props.kind}…`}
            title={`Delete ${props.name}?`}
            about={props.details}
            typed={props.name}
            confirm={`Delete ${props.kind}`}
            busy="Deleting…"
            onConfirm={remove}
          />
        }
      />
    </Section>
  )
}

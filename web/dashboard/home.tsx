// The owner's home: the workspaces with their channels, and the way to more of both.
import { A, Navigate, useNavigate } from '@solidjs/router'
import { type JSX, Show, untrack } from 'solid-js'
import type { ListedChannel, Visibility } from '../../shared/channel.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { api } from '../data/owner-client.ts'
import { UnreadMark } from '../layouts/unread-mark.tsx'
import { countOf } from '../lib/format.ts'
import { SeenChannels } from '../shell/seen-channels.tsx'
import { IconLog, IconSettings } from '../ui/dashboard-icons.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { createUnreadCounts } from '../workspace/unread-counts.ts'
import { ById } from './by-id.tsx'
import { NewChannel } from './new-channel.tsx'
import { NewWorkspace } from './new-workspace.tsx'
import { DashboardPage } from './page.tsx'

/** Each costs a socket; an account has few workspaces, unless its server lifts the limit. */
const MOST_WATCHED = 8

const VISIBILITY_WORDS: Record<Visibility, string> = {
  private: 'Only you',
  protected: 'With password',
  public: 'Public',
}

export function DashboardHome(): JSX.Element {
  const { load, again } = createFreshLoad(() => api.workspaces())
  return (
    <DashboardPage title="Channels" actions={<NewWorkspace />}>
      <Loaded load={load()} again={again} waiting={<Waiting />}>
        {workspaces => (
          <ById each={workspaces()} fallback={<Navigate href="/dashboard/start" />}>
            {(workspace, index) => (
              <WorkspaceSection
                workspace={workspace()}
                only={workspaces().length === 1}
                watched={index() < MOST_WATCHED}
              />
            )}
          </ById>
        )}
      </Loaded>
      <Show when={load().state === 'failed'}>
        <SeenChannels />
      </Show>
    </DashboardPage>
  )
}

function Waiting(): JSX.Element {
  return (
    <div class="skeletons" role="status" aria-label="Loading workspaces">
      <div class="skeleton" />
      <div class="skeleton" />
    </div>
  )
}

type SectionProps = {
  workspace: ListedWorkspace
  /** There is no other workspace. */
  only: boolean
  /** Its unread marks are kept current. */
  watched: boolean
}

function WorkspaceSection(props: SectionProps): JSX.Element {
  const { load, again } = createFreshLoad(() => api.channels(props.workspace.id))
  const unread = createUnreadCounts(untrack(() => (props.watched ? props.workspace.slug : null)))
  const navigate = useNavigate()
  return (
    <section class="workspace" aria-label={props.workspace.name}>
      <header class="workspace-head">
        <h2>
          <span class="channel-icon" aria-hidden="true">
            {props.workspace.icon}
          </span>
          <bdi>{props.workspace.name}</bdi>
        </h2>
        <span class="tag">{VISIBILITY_WORDS[props.workspace.visibility]}</span>
        <div class="workspace-tools">
          <NewChannel
            workspace={props.workspace}
            onCreated={channel => navigate(`/dashboard/channels/${channel.id}`)}
          />
          <A
            class="button button-secondary button-small"
            href={`/dashboard/workspaces/${props.workspace.id}`}
            aria-label={`Settings of ${props.workspace.name}`}
          >
            Settings
          </A>
        </div>
      </header>
      <Loaded load={load()} again={again}>
        {channels => (
          <ul class="channels">
            <ById each={channels()} fallback={<NoChannels only={props.only} />}>
              {channel => <ChannelRow channel={channel()} unread={unread(channel().id)} />}
            </ById>
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function NoChannels(props: { only: boolean }): JSX.Element {
  return (
    <li class="quiet">
      No channels yet.
      <Show when={props.only}>
        {' '}
        <A href="/dashboard/start">Go on where you left off</A>
      </Show>
    </li>
  )
}

function ChannelRow(props: { channel: ListedChannel; unread: number }): JSX.Element {
  const settings = () => `/dashboard/channels/${props.channel.id}`
  return (
    <li class="channel-row">
      <A class="channel-line" href={`/c/${props.channel.id}`}>
        <span class="channel-icon" aria-hidden="true">
          {props.channel.icon}
        </span>
        <span class="channel-line-words">
          <span class="channel-line-name" dir="auto">
            {props.channel.name}
          </span>
          <Show when={props.channel.description}>
            {description => <span class="channel-line-about">{description()}</span>}
          </Show>
        </span>
        <Show when={props.channel.mode === 'interactive'}>
          <span class="tag channel-row-mode">Interactive</span>
        </Show>
        <UnreadMark count={props.unread} />
        <span class="channel-line-note">{countOf(props.channel.card_count, 'card', 'cards')}</span>
      </A>
      <div class="channel-row-tools">
        <A
          class="icon-button"
          href={`${settings()}/log`}
          aria-label={`Log of ${props.channel.name}`}
          title="Log"
        >
          <IconLog />
        </A>
        <A
          class="icon-button"
          href={settings()}
          aria-label={`Settings of ${props.channel.name}`}
          title="Settings"
        >
          <IconSettings />
        </A>
      </div>
    </li>
  )
}

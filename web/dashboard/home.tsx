// The owner's home: workspaces with their channels.
import { A, Navigate, useNavigate } from '@solidjs/router'
import { type JSX, Show, untrack } from 'solid-js'
import type { ListedChannel, Visibility } from '../../shared/channel.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { api } from '../data/owner-requests.ts'
import { UnreadMark } from '../layouts/unread-mark.tsx'
import { countOf } from '../lib/format.ts'
import { SeenChannels } from '../shell/seen-channels.tsx'
import { ChannelIcon, ChannelWords } from '../ui/channel-name.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { IconLog, IconSettings } from '../ui/page-icons.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { createUnreadCounts } from '../workspace/unread-counts.ts'
import { CreateChannel } from './create-channel.tsx'
import { CreateWorkspace } from './create-workspace.tsx'
import { DashboardPage } from './dashboard-page.tsx'
import { KeyedFor } from './row-list.tsx'
import './home.css'

/** Live unread counts cost a socket per workspace. */
const LIVE_COUNTS_MAX = 8

const VISIBILITY_LABELS: Record<Visibility, string> = {
  private: 'Only you',
  protected: 'With password',
  public: 'Public',
}

export function DashboardHome(): JSX.Element {
  const { load, again } = createFreshLoad(() => api.workspaces())
  return (
    <DashboardPage title="Channels" actions={<CreateWorkspace />}>
      <Loaded load={load()} again={again} waiting={<Skeletons label="Loading workspaces" count={2} />}>
        {workspaces => (
          <KeyedFor each={workspaces()} fallback={<Navigate href="/dashboard/start" />}>
            {(workspace, index) => (
              <WorkspaceSection
                workspace={workspace()}
                only={workspaces().length === 1}
                live={index() < LIVE_COUNTS_MAX}
              />
            )}
          </KeyedFor>
        )}
      </Loaded>
      <Show when={load().state === 'failed'}>
        <SeenChannels />
      </Show>
    </DashboardPage>
  )
}

function WorkspaceSection(props: { workspace: ListedWorkspace; only: boolean; live: boolean }): JSX.Element {
  const { load, again } = createFreshLoad(() => api.channels(props.workspace.id))
  const unread = createUnreadCounts(untrack(() => (props.live ? props.workspace.slug : null)))
  const navigate = useNavigate()
  return (
    <section class="workspace" aria-label={props.workspace.name}>
      <header class="workspace-head line">
        <h2 class="across">
          <ChannelIcon icon={props.workspace.icon} />
          <bdi>{props.workspace.name}</bdi>
        </h2>
        <span class="tag">{VISIBILITY_LABELS[props.workspace.visibility]}</span>
        <div class="workspace-tools line">
          <CreateChannel
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
            <KeyedFor
              each={channels()}
              fallback={
                <li class="quiet">
                  No channels yet. {props.only && <A href="/dashboard/start">Continue setup</A>}
                </li>
              }
            >
              {channel => <ChannelRow channel={channel()} unread={unread(channel().id)} />}
            </KeyedFor>
          </ul>
        )}
      </Loaded>
    </section>
  )
}

function ChannelRow(props: { channel: ListedChannel; unread: number }): JSX.Element {
  const settings = () => `/dashboard/channels/${props.channel.id}`
  return (
    <li class="channel-row">
      <A class="channel-line across fill" href={`/c/${props.channel.id}`}>
        <ChannelWords channel={props.channel} />
        <Show when={props.channel.mode === 'interactive'}>
          <span class="tag">Interactive</span>
        </Show>
        <UnreadMark count={props.unread} />
        <span class="channel-line-note">{countOf(props.channel.card_count, 'card', 'cards')}</span>
      </A>
      <div class="channel-row-tools">
        <IconLink name="Log" of={props.channel.name} href={`${settings()}/log`} icon={<IconLog />} />
        <IconLink name="Settings" of={props.channel.name} href={settings()} icon={<IconSettings />} />
      </div>
    </li>
  )
}

function IconLink(props: { name: string; of: string; href: string; icon: JSX.Element }): JSX.Element {
  return (
    <A class="icon-button" href={props.href} aria-label={`${props.name} of ${props.of}`} title={props.name}>
      {props.icon}
    </A>
  )
}

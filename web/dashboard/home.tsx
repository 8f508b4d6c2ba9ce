// Home of a signed-in person: what needs attention, then the channels of each workspace as a table, live. Workspaces of other
// people follow below a heading.
import { A, Navigate, useSearchParams } from '@solidjs/router'
import { createEffect, createMemo, type JSX, mapArray, Show } from 'solid-js'
import type { SummarizedChannel } from '../../shared/channel.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { type OwnChannels, readWorkspaces, updateKnownChannels } from '../data/own-channels.ts'
import { useSession } from '../data/session.tsx'
import { countOf } from '../lib/format.ts'
import { SeenChannels } from '../shell/seen-channels.tsx'
import { newChannelIn } from '../shell/start-path.ts'
import { createFreshLoad, Loaded, readyValue } from '../ui/load.tsx'
import { focusMain } from '../ui/page-announcement.tsx'
import { Segments } from '../ui/segments.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { createLiveChannels } from '../workspace/live-channels.ts'
import { Attention } from './attention.tsx'
import { byLastCard, isFailing, isShown, readShown } from './channel-signs.ts'
import { ChannelTable, type TableChannel } from './channel-table.tsx'
import { CreateWorkspace } from './create-workspace.tsx'
import { DashboardPage } from './dashboard-page.tsx'
import { FindField } from './find-field.tsx'
import { leaveWorkspace } from './leave-workspace.ts'
import { OtherWorkspaces } from './other-workspaces.tsx'
import { KeyedFor } from './row-list.tsx'
import { createTyping } from './typing.ts'
import { WorkspaceHeading, WorkspaceTools } from './workspace-head.tsx'
import './home.css'

/** Live channels cost a socket per workspace. */
const LIVE_MAX = 8

type Part = { id: string; workspace: ListedWorkspace; channels: TableChannel[] }

export function DashboardHome(): JSX.Element {
  const { user } = useSession()
  const [search] = useSearchParams<{ workspace: string }>()
  const { load, again } = createFreshLoad(() => readWorkspaces(user()?.id ?? ''))
  const shown = () => {
    const all = readyValue(load())?.own ?? []
    const wanted = all.filter(({ workspace }) => workspace.id === search.workspace)
    return wanted.length > 0 ? wanted : all
  }
  const only = () => (shown().length === 1 ? shown()[0]?.workspace : undefined)
  const narrowed = () => (search.workspace === only()?.id ? only() : undefined)
  const others = () => (narrowed() ? [] : (readyValue(load())?.others ?? []))
  const parts = createParts(shown)
  createEffect(() => updateKnownChannels(parts().flatMap(({ channels }) => channels)))

  async function leave(workspace: ListedWorkspace): Promise<void> {
    if (!(await leaveWorkspace(workspace))) return
    // The button disappears and would lose the focus.
    focusMain()
    await again()
  }

  return (
    <DashboardPage
      title={narrowed()?.name ?? 'Channels'}
      icon={narrowed()?.icon}
      actions={
        <>
          <Show when={!narrowed()}>
            <CreateWorkspace />
          </Show>
          <Show when={narrowed()}>
            {workspace => (
              <WorkspaceTools workspace={workspace()} primary onLeave={() => leave(workspace())} />
            )}
          </Show>
        </>
      }
    >
      <Loaded load={load()} again={again} waiting={<Skeletons label="Loading channels" count={2} />}>
        {all => (
          <Show
            when={all().own.length + all().others.length > 0}
            fallback={<Navigate href="/dashboard/start" />}
          >
            <Channels parts={parts()} others={others()} named={narrowed() !== undefined} onLeave={leave} />
          </Show>
        )}
      </Loaded>
      <Show when={load().state === 'failed'}>
        <SeenChannels />
      </Show>
    </DashboardPage>
  )
}

/** The channels as they are now. They are sorted as they were read, so that no row moves under the pointer. */
function createParts(shown: () => OwnChannels): () => Part[] {
  const slugs = () => shown().map(({ workspace }) => workspace.slug)
  const lives = createMemo(
    mapArray(
      () => slugs().slice(0, LIVE_MAX),
      slug => ({ slug, ...createLiveChannels(slug) }),
    ),
  )
  return createMemo(() =>
    shown().map(({ workspace, channels }): Part => {
      const live = lives().find(({ slug }) => slug === workspace.slug)
      const now = (channel: SummarizedChannel) => live?.now(channel) ?? { ...channel, unread: 0 }
      return { id: workspace.id, workspace, channels: byLastCard(channels).map(now) }
    }),
  )
}

/** `named`: the page has the workspace's name. */
function Channels(props: {
  parts: Part[]
  others: ListedWorkspace[]
  named: boolean
  onLeave: (workspace: ListedWorkspace) => void
}): JSX.Element {
  const [search, setSearch] = useSearchParams<{ find: string; show: string }>()
  const set = (changed: typeof search) => setSearch(changed, { replace: true, scroll: false })
  const typing = createTyping(
    () => (typeof search.find === 'string' ? search.find : ''),
    find => set({ find }),
  )
  const query = typing.text
  const wanted = () => readShown(search.show)
  const all = () => props.parts.flatMap(({ channels }) => channels)
  const waiting = () => all().filter(({ needs_you }) => needs_you > 0).length
  const failing = () => all().filter(isFailing).length
  const isNarrow = () => query() !== '' || wanted() !== 'all'
  const matches = (part: Part) => part.channels.filter(channel => isShown(channel, wanted(), query()))
  const found = () => props.parts.reduce((sum, part) => sum + matches(part).length, 0)
  const listed = () => props.parts.filter(part => !isNarrow() || matches(part).length > 0)
  const firstListed = () => props.parts.find(part => matches(part).length > 0)?.id
  const others = () => (isNarrow() ? [] : props.others)
  const choices = () => ({
    all: 'All',
    ...((waiting() > 0 || wanted() === 'waiting') && { waiting: 'Needs you' }),
    ...((failing() > 0 || wanted() === 'failing') && { failing: 'Failing' }),
  })

  function clear(): void {
    // The button disappears and would lose the focus.
    focusMain()
    typing.type('')
    set({ find: undefined, show: undefined })
  }

  const partView = (part: () => Part) => (
    <WorkspaceChannels
      part={part()}
      channels={matches(part())}
      named={props.named}
      isFirst={part().id === firstListed()}
      isOnly={props.parts.length === 1}
      onLeave={() => props.onLeave(part().workspace)}
    />
  )

  return (
    <>
      <Attention parts={props.parts} />
      <Show when={all().length > 0}>
        <div class="list-tools">
          <FindField label="Find a channel" value={query()} onInput={typing.type} />
          <Show when={Object.keys(choices()).length > 1}>
            <Segments
              label="Show"
              of={choices()}
              value={wanted()}
              counts={{ waiting: waiting(), failing: failing() }}
              yours="waiting"
              onPick={show => set({ show: show === 'all' ? undefined : show })}
            />
          </Show>
          <p class="list-tools-end" role="status">
            {countOf(found(), 'channel', 'channels')}
            {isNarrow() ? '' : ', latest card first'}
          </p>
        </div>
      </Show>
      <KeyedFor each={listed().filter(isOwned)}>{part => partView(part)}</KeyedFor>
      <Show when={!props.named && (listed().some(isJoined) || others().length > 0)}>
        <h2 class="shared-heading">Shared with you</h2>
      </Show>
      <KeyedFor each={listed().filter(isJoined)}>{part => partView(part)}</KeyedFor>
      <Show when={others().length > 0}>
        <OtherWorkspaces workspaces={others()} onLeave={props.onLeave} />
      </Show>
      <Show when={isNarrow() && found() === 0}>
        <p class="channels-none surface">
          No results.{' '}
          <button type="button" class="link" onClick={clear}>
            Show all
          </button>
        </p>
      </Show>
    </>
  )
}

/** `isFirst`: of those that are listed. `isOnly`: the person runs no other workspace. */
function WorkspaceChannels(props: {
  part: Part
  channels: Part['channels']
  named: boolean
  isFirst: boolean
  isOnly: boolean
  onLeave: () => void
}): JSX.Element {
  return (
    <section class="workspace" aria-label={props.part.workspace.name}>
      <Show when={!props.named}>
        <WorkspaceHeading workspace={props.part.workspace} primary={props.isOnly} onLeave={props.onLeave} />
      </Show>
      <ChannelTable
        channels={props.channels}
        headings={props.isFirst}
        none={
          <>
            No channels yet.{' '}
            {props.isOnly ? (
              <A href="/dashboard/start">Continue setup</A>
            ) : (
              <A href={newChannelIn(props.part.id)}>New channel</A>
            )}
          </>
        }
      />
    </section>
  )
}

const isJoined = ({ workspace }: Part) => workspace.role === 'editor'
const isOwned = (part: Part) => !isJoined(part)

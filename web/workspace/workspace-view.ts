// The state of a workspace's page: from the local copy at once, then live; dropped when access is refused.
import { createMemo, createSignal, onCleanup } from 'solid-js'
import { createStore, reconcile, unwrap } from 'solid-js/store'
import type { ChannelActivity, ViewedWorkspace } from '../../shared/workspace-live.ts'
import type { PageFeed } from '../data/channel/page-feed.ts'
import { confirmWorkspace, readWorkspace, writeWorkspace } from '../data/local-copy/channels.ts'
import { dropWorkspace, dropWorkspaceCopy } from '../data/local-copy/drop.ts'
import { useReadMarks } from '../data/read-marks.tsx'
import { unreadIn } from '../feed/read-mark.ts'
import type { Link, Refusal } from '../lib/reconnect.ts'
import { createChannelActivity } from './channel-activity.ts'
import { combineLinks } from './combine-links.ts'
import { makeWorkspaceSync } from './workspace-sync.ts'

export type WorkspaceView = ReturnType<typeof createWorkspaceView>

export function createWorkspaceView(slug: string) {
  const marks = useReadMarks()
  const activity = createChannelActivity()
  const [state, setState] = createStore<{ page: ViewedWorkspace | null }>({ page: null })
  const [ownLink, setLink] = createSignal<Link>({ state: 'connecting' })
  const [savedAt, setSavedAt] = createSignal<number>()
  /** Of the open channel. */
  const [feed, setFeed] = createSignal<PageFeed>()
  let stopped = false

  readCopy()
  const sync = makeWorkspaceSync({ slug, onLink: followLink, onPage, onActivity, onRefused })
  const confirming = confirmWorkspace(slug, () => (stopped ? undefined : sync.heardAt() || undefined))
  onCleanup(() => {
    save()
    confirming.stop()
    stopped = true
    sync.stop()
  })

  async function readCopy(): Promise<void> {
    const copy = await readWorkspace(slug)
    if (!copy || stopped || state.page) return
    setSavedAt(copy.saved_at)
    setState('page', reconcile(copy.page, { key: 'id', merge: true }))
  }

  function onPage(page: ViewedWorkspace): void {
    activity.adopt(page.channels)
    setState('page', reconcile(page, { key: 'id', merge: true }))
    save()
  }

  /** Saves at once: a write that starts while the page closes may get lost. The server sends one message a second. */
  function onActivity(changed: Record<string, ChannelActivity>): void {
    activity.update(changed)
    save()
  }

  function followLink(next: Link): void {
    if (next.state === 'live') setSavedAt(Date.now())
    else if (next.state === 'blocked' || ownLink().state === 'live') setSavedAt(sync.heardAt())
    setLink(next)
  }

  async function onRefused(refusal: Refusal, deleted: boolean): Promise<void> {
    stopped = true
    const workspace = unwrap(state).page?.workspace ?? (await readWorkspace(slug))?.page.workspace
    feed()?.stopWithoutSaving()
    setState({ page: null })
    // If only the custom slug is gone, the workspace may still exist.
    const renamed = refusal === 'missing' && !deleted && workspace?.slug !== slug
    if (renamed || !workspace) await dropWorkspaceCopy(slug)
    else await dropWorkspace(workspace.id)
    // Last: a reader of this message may reload the page at once, and that would interrupt the deletion.
    setLink({ state: 'refused', refusal })
  }

  function save(): void {
    const { page } = unwrap(state)
    if (!page || stopped || sync.heardAt() === 0) return
    writeWorkspace(slug, { page: withActivity(page, activity), saved_at: sync.heardAt() })
  }

  /** In the open channel only cards that have arrived count: the others appear, read, in a moment. */
  function unread(channelId: string): number {
    const open = feed()
    return open?.id === channelId ? unreadIn(open, marks) : activity.unread(channelId)
  }

  return {
    slug,
    page: () => state.page,
    link: createMemo<Link>(() => combineLinks(ownLink(), feed()?.link())),
    refusal: () => {
      const now = ownLink()
      return now.state === 'refused' ? now.refusal : undefined
    },
    /** When the page was last in step with the server (ms). */
    lastUpdatedAt: () => feed()?.lastUpdatedAt() ?? savedAt(),
    feed,
    setFeed,
    cardCount: activity.cardCount,
    summary: activity.summary,
    unread,
    unreadInAll: () => (state.page?.channels ?? []).reduce((sum, { id }) => sum + unread(id), 0),
  }
}

/** A copy of the page with what each channel's newest activity says. */
function withActivity(
  page: ViewedWorkspace,
  activity: ReturnType<typeof createChannelActivity>,
): ViewedWorkspace {
  const copy = structuredClone(page)
  for (const channel of copy.channels) {
    const { last_card, waiting, needs_you, webhook } = unwrap(activity.summary(channel))
    const card_count = activity.cardCount(channel)
    Object.assign(channel, { card_count, last_card, waiting, needs_you, webhook })
  }
  return copy
}

// A workspace's page as it is shown: from the local copy at once, then kept live, and dropped when refused.
import { createMemo, createSignal, onCleanup } from 'solid-js'
import { createStore, reconcile, unwrap } from 'solid-js/store'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import type { ChannelFeed } from '../data/channel/channel-feed.ts'
import { readWorkspace, writeWorkspace } from '../data/local-copy/channels.ts'
import { dropSlug, dropWorkspace } from '../data/local-copy/drop.ts'
import { useReadMarks } from '../data/read-marks.tsx'
import { unreadIn } from '../feed/read-mark.ts'
import type { Link, Refusal } from '../lib/reconnect.ts'
import { createChannelActivity } from './channel-activity.ts'
import { makeWorkspaceSync } from './workspace-sync.ts'
import { worseLink } from './worse-link.ts'

export type WorkspaceView = ReturnType<typeof createWorkspaceView>

export function createWorkspaceView(slug: string) {
  const marks = useReadMarks()
  const activity = createChannelActivity()
  const [shown, setShown] = createStore<{ page: WorkspacePage | null }>({ page: null })
  const [ownLink, setLink] = createSignal<Link>({ state: 'connecting' })
  const [keptAt, setKeptAt] = createSignal<number>()
  /** The channel whose feed is on the page. */
  const [feed, setFeed] = createSignal<ChannelFeed>()
  let stopped = false

  readKept()
  const sync = makeWorkspaceSync({ slug, onLink: followLink, onPage, onActivity: activity.take, onRefused })
  window.addEventListener('pagehide', keep)
  onCleanup(() => {
    window.removeEventListener('pagehide', keep)
    keep()
    stopped = true
    sync.stop()
  })

  async function readKept(): Promise<void> {
    const copy = await readWorkspace(slug)
    if (!copy || stopped || shown.page) return
    setKeptAt(copy.saved_at)
    setShown('page', reconcile(copy.page, { key: 'id', merge: true }))
  }

  function onPage(page: WorkspacePage): void {
    setShown('page', reconcile(page, { key: 'id', merge: true }))
    keep()
  }

  function followLink(next: Link): void {
    if (next.state === 'live') setKeptAt(Date.now())
    else if (ownLink().state === 'live') setKeptAt(sync.heardAt())
    setLink(next)
  }

  async function onRefused(refusal: Refusal, deleted: boolean): Promise<void> {
    stopped = true
    const workspace = unwrap(shown).page?.workspace ?? (await readWorkspace(slug))?.page.workspace
    feed()?.stopWithoutSaving()
    setShown({ page: null })
    setLink({ state: 'refused', refusal })
    // A custom slug may have been given up for another one: then the workspace is still there.
    const renamed = refusal === 'missing' && !deleted && workspace?.slug !== slug
    if (renamed || !workspace) await dropSlug(slug)
    else await dropWorkspace(workspace.id)
  }

  /** As the server had it when it was last heard. */
  function keep(): void {
    const { page } = unwrap(shown)
    if (!page || stopped || sync.heardAt() === 0) return
    const copy = structuredClone(page)
    for (const channel of copy.channels)
      channel.card_count = activity.now()[channel.id]?.card_count ?? channel.card_count
    writeWorkspace(slug, { page: copy, saved_at: sync.heardAt() })
  }

  /** Of the open channel, those that have arrived: the others are about to, and to be seen at once. */
  function unread(channelId: string): number {
    const open = feed()
    return open?.id === channelId ? unreadIn(open, marks) : activity.unread(channelId)
  }

  const link = createMemo<Link>(() => worseLink(ownLink(), feed()?.link()))
  return {
    slug,
    /** null until something is known. */
    page: () => shown.page,
    link,
    refusal: () => {
      const now = ownLink()
      return now.state === 'refused' ? now.refusal : undefined
    },
    /** When what is on the screen was last known to be the server's (ms). */
    knownAt: () => feed()?.knownAt() ?? keptAt(),
    feed,
    setFeed,
    cardCount: activity.cardCount,
    unread,
    unreadInAll: () => (shown.page?.channels ?? []).reduce((sum, { id }) => sum + unread(id), 0),
  }
}

// How far each channel was read on this device, for every page and tab. A read mark only rises.
import { createEffect, createSignal, on, type ParentProps, untrack } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { listen } from '../lib/listen.ts'
import { connectTabs } from '../lib/other-tabs.ts'
import { painted } from '../lib/painted.ts'
import { createRequiredContext } from '../lib/required-context.ts'
import { handOverMarks, readMarks, takeMarks, writeMark } from './local-copy/channels.ts'
import { onDrop } from './local-copy/drop.ts'
import { useSession } from './session.tsx'

export type ReadMarks = ReturnType<typeof createReadMarks>
type Mark = { channel_id: string; position: number }

const PAUSE_MS = 300
/** Below the first card's position: the mark of an empty channel. */
export const NOTHING_READ = -1

function createReadMarks() {
  const [marks, setMarks] = createStore<Record<string, number | undefined>>({})
  const [ready, setReady] = createSignal(false)
  const unwritten = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  const tellTabs = connectTabs<Mark>('channel-feed-read', mark => set(mark.channel_id, mark.position))
  listen(document, 'visibilitychange', save)
  handOverMarks(() =>
    unwritten.size > 0 ? Object.fromEntries([...unwritten].map(id => [id, markOf(id)])) : undefined,
  )

  onDrop(channelIds => {
    for (const id of channelIds) {
      unwritten.delete(id)
      setMarks(id, undefined)
    }
  })

  /** Another user's marks were dropped before. */
  async function load(): Promise<void> {
    save()
    unwritten.clear()
    setReady(false)
    await painted()
    const last = takeMarks()
    setMarks(reconcile(await readMarks()))
    for (const [channelId, position] of Object.entries(last)) raise(channelId, position)
    setReady(true)
  }

  function set(channelId: string, position: number): boolean {
    if (position <= (untrack(() => marks[channelId]) ?? Number.NEGATIVE_INFINITY)) return false
    setMarks(channelId, position)
    return true
  }

  function raise(channelId: string, position: number): void {
    if (!set(channelId, position)) return
    tellTabs({ channel_id: channelId, position })
    unwritten.add(channelId)
    // The first rise is written at once: the page may unload in a moment.
    if (timer === undefined) save()
    timer ??= setTimeout(() => {
      timer = undefined
      save()
    }, PAUSE_MS)
  }

  /** A channel without a mark counts as read. */
  function markIfNew(channelId: string, newest: number | null): void {
    if (untrack(() => marks[channelId]) === undefined) raise(channelId, newest ?? NOTHING_READ)
  }

  function save(): void {
    for (const channelId of unwritten) write(channelId)
  }

  async function write(channelId: string): Promise<void> {
    const position = markOf(channelId)
    const written = await writeMark(channelId, position)
    if (written && markOf(channelId) === position) unwritten.delete(channelId)
  }

  const markOf = (channelId: string) => untrack(() => marks[channelId]) ?? NOTHING_READ

  return { load, ready, upTo: (channelId: string) => marks[channelId], raise, markIfNew }
}

export const [ReadMarksContext, useReadMarks] = createRequiredContext<ReadMarks>('ReadMarksContext')

export function ReadMarksProvider(props: ParentProps) {
  const { user } = useSession()
  const marks = createReadMarks()
  const userId = () => user()?.id ?? null
  createEffect(on(userId, marks.load))
  return <ReadMarksContext.Provider value={marks}>{props.children}</ReadMarksContext.Provider>
}

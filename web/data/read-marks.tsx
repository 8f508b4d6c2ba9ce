// Up to which card each channel was seen on this device, for every page and tab. A mark only rises.
import { createContext, createEffect, createSignal, type JSX, on, untrack, useContext } from 'solid-js'
import { createStore, reconcile } from 'solid-js/store'
import { readMarks, writeMark } from './local-copy.ts'
import { useSession } from './session.tsx'

export type ReadMarks = ReturnType<typeof createReadMarks>
type Mark = { channel_id: string; position: number }

/** A mark that rises with every card of a busy channel is written this often. */
const PAUSE_MS = 300
/** Below the first card's position: the mark of a channel that was empty. */
export const NOTHING_READ = -1

function createReadMarks() {
  const [marks, setMarks] = createStore<Record<string, number | undefined>>({})
  const [ready, setReady] = createSignal(false)
  const tabs = new BroadcastChannel('channel-feed-read')
  const unwritten = new Set<string>()
  let timer: ReturnType<typeof setTimeout> | undefined

  tabs.onmessage = ({ data }: MessageEvent<Mark>) => show(data.channel_id, data.position)
  document.addEventListener('visibilitychange', keep)

  /** What is kept of whoever is signed in now: another user's went when that was known. */
  async function load(): Promise<void> {
    keep()
    setReady(false)
    const kept = await readMarks()
    setMarks(reconcile(kept))
    setReady(true)
  }

  function show(channelId: string, position: number): boolean {
    if (position <= (untrack(() => marks[channelId]) ?? Number.NEGATIVE_INFINITY)) return false
    setMarks(channelId, position)
    return true
  }

  /** Everything up to `position` was on the screen. */
  function raise(channelId: string, position: number): void {
    if (!show(channelId, position)) return
    tabs.postMessage({ channel_id: channelId, position } satisfies Mark)
    unwritten.add(channelId)
    // At once, where nothing was written just now: the page may be left in a moment.
    if (timer === undefined) keep()
    timer ??= setTimeout(keepLater, PAUSE_MS)
  }

  /** A channel that was never heard of here counts as read. */
  function meet(channelId: string, newest: number | null): void {
    if (untrack(() => marks[channelId]) === undefined) raise(channelId, newest ?? NOTHING_READ)
  }

  function keepLater(): void {
    timer = undefined
    keep()
  }

  function keep(): void {
    for (const channelId of unwritten) writeMark(channelId, marks[channelId] ?? NOTHING_READ)
    unwritten.clear()
  }

  return {
    load,
    /** Whether what earlier visits left is known. */
    ready,
    upTo: (channelId: string) => marks[channelId],
    raise,
    meet,
  }
}

const ReadMarksContext = createContext<ReadMarks>()

export function ReadMarksProvider(props: { children: JSX.Element }): JSX.Element {
  const { session } = useSession()
  const marks = createReadMarks()
  const user = () => {
    const now = session()
    return now.state === 'signed-in' ? now.user.id : null
  }
  createEffect(on(user, marks.load))
  return <ReadMarksContext.Provider value={marks}>{props.children}</ReadMarksContext.Provider>
}

export function useReadMarks(): ReadMarks {
  const marks = useContext(ReadMarksContext)
  if (!marks) throw new Error('useReadMarks needs a ReadMarksProvider around it')
  return marks
}

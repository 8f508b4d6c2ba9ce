// Keeps the document's local copy: whole, at most once a second and when the page is left, never without its head.
import * as Y from 'yjs'
import { firstCardsOf } from '../../../shared/channel-doc.ts'
import { writeDocument } from '../local-copy.ts'

const PAUSE_MS = 1_000

/** `heardAt` says when the server last spoke (ms); `kept` that the document is as its local copy. */
export function makeDocumentKeeper(
  doc: Y.Doc,
  channelId: string,
  { heardAt, kept }: { heardAt: () => number; kept: boolean },
) {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let changed = false
  let keptAt = 0
  let lastWrite = 0

  doc.on('update', onUpdate)
  window.addEventListener('pagehide', keep, { signal: listening.signal })
  document.addEventListener('visibilitychange', keep, { signal: listening.signal })
  if (!kept) onUpdate()

  function onUpdate(): void {
    changed = true
    timer ??= setTimeout(keep, Math.max(0, lastWrite + PAUSE_MS - Date.now()))
  }

  function keep(): void {
    clearTimeout(timer)
    timer = undefined
    // What the server has said since makes the copy younger, also where it changed nothing.
    if (!changed && heardAt() <= keptAt) return
    const first = firstCardsOf(doc, channelId)
    if (!first) return
    changed = false
    keptAt = heardAt()
    lastWrite = Date.now()
    writeDocument(channelId, { state: Y.encodeStateAsUpdate(doc), saved_at: keptAt, first })
  }

  function stop(): void {
    keep()
    listening.abort()
    doc.off('update', onUpdate)
  }

  return { stop }
}

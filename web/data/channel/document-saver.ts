// Saves the document to the local copy: at most once a second, and when the page is hidden.
import * as Y from 'yjs'
import { channelOf, firstCardsOf, newestPages } from '../../../shared/channel-doc.ts'
import { isLeaving } from '../../lib/page-life.ts'
import { confirmDocument, writeDocument } from '../local-copy/channels.ts'
import { dropPage } from '../local-copy/top-cards.ts'

const PAUSE_MS = 1_000

/** `lastMessageAt`: when the server last sent something (ms). `isSaved`: the local copy already equals the document. */
export function makeDocumentSaver(
  doc: Y.Doc,
  channelId: string,
  lastMessageAt: () => number,
  isSaved: boolean,
) {
  const listening = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  let changed = false
  let confirmedAt = 0
  let lastWrite = 0

  doc.on('update', onUpdate)
  document.addEventListener('visibilitychange', save, { signal: listening.signal })
  const confirming = confirmDocument(channelId, () => (changed ? undefined : lastMessageAt() || undefined))
  if (!isSaved) onUpdate()

  function onUpdate(): void {
    if (!changed) dropPage(channelId)
    changed = true
    timer ??= setTimeout(save, Math.max(0, lastWrite + PAUSE_MS - Date.now()))
  }

  function save(): void {
    clearTimeout(timer)
    timer = undefined
    // A write would come too late.
    if (isLeaving()) return
    // A message without a change still confirms that the copy is current.
    if (!changed && lastMessageAt() <= confirmedAt) return
    const first = firstCardsOf(channelOf(doc), newestPages(doc), channelId)
    if (!first) return
    changed = false
    confirmedAt = lastMessageAt()
    lastWrite = Date.now()
    writeDocument(channelId, { state: Y.encodeStateAsUpdate(doc), saved_at: confirmedAt, first })
  }

  function stop(): void {
    save()
    listening.abort()
    confirming.stop()
    doc.off('update', onUpdate)
  }

  return { stop }
}

// Runs the code of a POST, a PATCH and a join on a document in memory, before the first request needs it. V8 compiles code
// while it runs, so without this the first requests after a start take several times as long as later ones.
import { randomUUID } from 'node:crypto'
import { setImmediate as otherWork } from 'node:timers/promises'
import { createCardBody } from '../shared/card.ts'
import { parse } from '../shared/invalid.ts'
import { LiveDocument } from './feed/document/live-document.ts'
import { firstUpdate } from './feed/log/epochs.ts'
import { makeTurn } from './feed/turn/make-turn.ts'
import { MutationQueue } from './feed/turn/mutation-queue.ts'
import { updateFrameParts } from './feed/viewers/frames.ts'
import { utcDay } from './rate-limit.ts'
import { CHANNEL_ID, CREATED_AT, newDeployment, newForm } from './routes/examples.ts'

const NO_LIMITS = { cards: null, bytes: null }
/** More than the live pages hold, so that a page is archived too. */
const CARDS = 330
const LOADS = 2
/** As large as most ids: V8 compiles code for small integers only, if it has seen no others. */
const CLIENT_ID = 4_000_000_000
const SLICE_MS = 5
const NOW = Date.parse(CREATED_AT)

const FORM = JSON.stringify(newForm)
const DEPLOYMENT = JSON.stringify(newDeployment)
const NOTHING = { cards: [], keys: new Map<string, string>(), touched: null, decisions: [], receipts: null }

/** Stores, publishes and counts nothing. Lets other work run every few milliseconds. */
export async function warmUp(): Promise<void> {
  let slice_began = performance.now()
  for (const _ of pushAndLoad()) {
    if (performance.now() - slice_began < SLICE_MS) continue
    await otherWork()
    slice_began = performance.now()
  }
}

function* pushAndLoad(): Generator<void> {
  const head = { name: 'Warm-up', description: null, icon: '🔥', mode: 'view' as const, actions: [] }
  const { update } = firstUpdate(CHANNEL_ID, CLIENT_ID, head)
  // Buffers, as they come from the database.
  const log = [Buffer.from(update)]
  const live = new LiveDocument(CHANNEL_ID, CLIENT_ID, log)
  for (let position = 0; position < CARDS; position++) {
    log.push(Buffer.from(push(live, position)))
    yield
  }
  for (let load = 0; load < LOADS; load++) {
    const loaded = new LiveDocument(CHANNEL_ID, CLIENT_ID, log)
    yield
    yield* change(loaded)
    updateFrameParts(loaded.encode())
    yield
  }
}

/** Changes the status of some cards, each of which has to be found first. */
function* change(live: LiveDocument): Generator<void> {
  for (const { id } of live.firstCards()?.pages.flatMap(({ cards }) => cards) ?? []) {
    const found = live.find(id)
    if (found) live.transact(() => live.patch({ ...found, status: 'success' }, []))
    live.freeUnused(Infinity)
    yield
  }
}

/** Returns the update. */
function push(live: LiveDocument, position: number): Uint8Array {
  const sent: unknown = JSON.parse(position === 0 ? FORM : DEPLOYMENT)
  const { blocks, status } = parse(createCardBody, sent)
  const queue = new MutationQueue()
  const mutation = { kind: 'insert', id: randomUUID(), blocks, status } as const
  void queue.push({ mutation, owner_id: CHANNEL_ID })
  const { turn } = makeTurn(live, NOTHING, queue.take(), {
    log_head: {
      epoch: 0,
      client_id: CLIENT_ID,
      generation: 1,
      seq: position,
      clock: live.clock,
      next_position: position,
      card_count: position,
      events_until: null,
    },
    history: { identity: '', generation: 1 },
    owner_id: CHANNEL_ID,
    now: NOW,
    day: utcDay(NOW),
    quota: { limits: NO_LIMITS, left: NO_LIMITS },
    public_url: '',
    sign: record => record,
  })
  if (!turn) throw new Error('a turn with a new card is never empty')
  JSON.stringify(turn.inserted)
  return turn.update
}

// P4 to P6 in the quiet phase: every view of a channel shows the same. The rows of the cards are the measure; the model
// checks them first.
import * as Y from 'yjs'
import type { Card, PlacedCard } from '../../../shared/card.ts'
import { pagesOf, readPage, touchedOf } from '../../../shared/channel-doc.ts'
import { isQuestionBlock } from '../../../shared/decision-rules.ts'
import type { TappedTurn } from '../cluster/tap.ts'
import { groupBy } from '../group.ts'
import { clocksOf, digestOf } from '../load/digest.ts'
import type { Heard } from '../load/streams.ts'
import type { View } from '../load/views.ts'
import { bodyOf } from '../model/cards.ts'
import type { World } from '../model/world.ts'
import { canonical } from './canonical.ts'
import { byChannel, type Files, type Finding, phaseOf } from './files.ts'
import { withoutQuestion } from './linearizable.ts'
import { locate } from './locate.ts'
import { keyOfClocks } from './lost.ts'
import { isWrite, operationsOf } from './operations.ts'
import { replay } from './replay.ts'

export function checkViews({ tried, turns, heard, views, marks }: Files): Finding[] {
  const quiet = phaseOf(marks, 'resume')
  const operations = byChannel(operationsOf(tried))
  const logs = byChannel(turns.filter(({ at }) => at <= quiet))
  const streams = byChannel(heard.filter(({ at }) => at <= quiet))
  return [...byChannel(views)].flatMap(([channel_id, all]) => {
    const rows = all.find(view => view.kind === 'rows')
    const log = logs.get(channel_id) ?? []
    if (rows?.kind !== 'rows') return []
    const writes = (operations.get(channel_id) ?? []).filter(isWrite)
    const { world } = replay(locate(log, writes), writes)
    const compare = new Comparison(channel_id, rows.cards, log)
    compare.model(world)
    compare.log(log, world)
    for (const view of all) compare.view(view)
    compare.streams(streams.get(channel_id) ?? [])
    return compare.findings
  })
}

class Comparison {
  readonly findings: Finding[] = []
  readonly #channel_id: string
  readonly #cards: PlacedCard[]
  readonly #log: TappedTurn[]
  readonly #document: { key: string; digest: string; doc: Y.Doc }

  constructor(channel_id: string, cards: PlacedCard[], log: TappedTurn[]) {
    this.#channel_id = channel_id
    this.#cards = cards
    this.#log = log
    const doc = new Y.Doc()
    const epoch = log.at(-1)?.epoch
    for (const turn of log) if (turn.epoch === epoch) Y.applyUpdate(doc, Buffer.from(turn.update, 'base64'))
    this.#document = { key: keyOfClocks(clocksOf(doc)), digest: digestOf(doc), doc }
  }

  model(world: World): void {
    const expected = [...world.cards].map(([id, state]) => ({
      id,
      position: state.position,
      ...bodyOf(state),
    }))
    this.#compare('the model', expected, ({ id, position, status, blocks, key }) => ({
      id,
      position,
      status,
      blocks: withoutQuestion(blocks),
      ...(key !== undefined && { key }),
    }))
  }

  /** The document that all turns together make. */
  log(log: TappedTurn[], world: World): void {
    const { doc } = this.#document
    const live = [...pagesOf(doc).values()]
      .flatMap(page => readPage(page, this.#channel_id))
      .sort((a, b) => a.position - b.position)
    const oldest = live[0]?.position ?? Infinity
    this.#compare('the log', live, card => (card.position < oldest ? null : card))
    const touched = [...(touchedOf(doc) ?? [])].map(([page, version]) => [Number(page), version] as const)
    for (const [page, version] of touched)
      if (world.touched.get(page) !== version)
        this.#wrong(
          `touched has version ${version} of page ${page}, and the log implies ${world.touched.get(page)}`,
        )
    // A new epoch begins without.
    if (log.at(-1)?.epoch === 0 && touched.length < world.touched.size)
      this.#wrong(`touched lacks ${world.touched.size - touched.length} pages`)
  }

  view(view: View): void {
    switch (view.kind) {
      case 'rows':
        return
      case 'list':
        this.#compare(view.name, [...view.cards].reverse(), withoutPosition)
        return
      case 'pages':
        this.#compare(view.name, view.cards, card => card)
        for (const status of view.again)
          if (status !== 304) this.#wrong(`${view.name}: a request with the last ETag got ${status}`)
        return
      case 'count':
        if (view.count !== this.#cards.length)
          this.#wrong(`${view.name} says ${view.count} cards, and there are ${this.#cards.length}`)
        return
      case 'waiting':
        this.#waiting(view)
        return
      case 'document':
        if (keyOfClocks(view.clocks) !== this.#document.key)
          this.#wrong(
            `${view.name} ends at ${keyOfClocks(view.clocks)}, and the log at ${this.#document.key}`,
          )
        else if (view.digest !== this.#document.digest)
          this.#wrong(`${view.name} shows something else than the log`)
    }
  }

  /** A deadline may pass between two reads, so only questions without one must be there. */
  #waiting({ name, total, cards }: Extract<View, { kind: 'waiting' }>): void {
    const shown = new Set(cards.map(({ id }) => id))
    for (const card of this.#cards) {
      const open = card.blocks
        .filter(isQuestionBlock)
        .filter(({ decision }) => decision.state === 'waiting' && decision.who === 'anyone')
      if (shown.has(card.id) && open.length === 0) this.#wrong(`${name} have ${card.id}, which asks nobody`)
      const must_wait = open.some(({ decision }) => decision.expires_at === null)
      if (must_wait && !shown.has(card.id) && total === cards.length)
        this.#wrong(`${name} lack ${card.id}, which waits`)
    }
  }

  /** The events of each stream, folded. */
  streams(heard: Heard[]): void {
    for (const [stream, events] of groupBy(heard, one => one.stream)) {
      const cards = new Map<string, Card>()
      for (const { event, data } of events) {
        if (!hasId(data)) continue
        if (event === 'card.deleted') cards.delete(data.id)
        if (event === 'card.inserted' || event === 'card.updated') cards.set(data.id, data)
      }
      // It lacks what happened before.
      if (events.some(({ event }) => event === 'reset')) continue
      this.#compare(`event stream ${stream}`, [...cards.values()], withoutPosition)
    }
  }

  /** Both in the order of creation. `pick` takes from a row what the view shows; null: nothing. */
  #compare(name: string, shown: { id: string }[], pick: (card: PlacedCard) => { id: string } | null): void {
    const expected = this.#cards.map(pick).filter(card => card !== null)
    const given = shown.map(card => ({ id: card.id, text: canonical(card) }))
    for (let i = 0; i < Math.max(expected.length, given.length); i++) {
      const [card, other] = [expected[i], given[i]]
      if (card && other?.text === canonical(card)) continue
      const id = card?.id ?? other?.id ?? ''
      const is = other?.text ?? 'nothing'
      const ought = card ? canonical(card) : 'nothing'
      return this.#wrong(
        `${name} shows ${is} where the rows have ${ought} (card ${id}, ${this.#lastTurnOf(id)})`,
      )
    }
  }

  #lastTurnOf(id: string): string {
    const turn = this.#log.findLast(({ events }) => events?.some(({ data }) => data.id === id))
    return turn ? `last changed by turn ${turn.epoch}.${turn.seq}` : 'in no turn'
  }

  #wrong(what: string): void {
    this.findings.push({ promise: 'P6', message: `quiet, channel ${this.#channel_id}: ${what}` })
  }
}

const withoutPosition = ({ position: _, ...card }: PlacedCard): Card => card

const hasId = (data: unknown): data is Card => typeof data === 'object' && data !== null && 'id' in data

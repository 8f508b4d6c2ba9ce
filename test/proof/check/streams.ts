// P5 and P6 for event streams: every event of the log and every interaction of the table, each once and in order, across
// reconnects.
import { groupBy } from '../group.ts'
import type { Heard } from '../load/streams.ts'
import type { StoredDelivery } from '../run.ts'
import { byChannel, type Files, type Finding, phaseOf } from './files.ts'

type Logged = { place: string; type: string; card_id: string }

export function checkStreams({ turns, lost, heard, marks, deliveries }: Files): Finding[] {
  const streams = byChannel(heard)
  const may_reset = marks.some(({ kind }) => kind === 'lost history')
  const gone = new Set(lost.map(turn => `${turn.channel_id} ${turn.epoch}.${turn.seq}`))
  return [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const logged: Logged[] = log.flatMap(({ epoch, seq, events }) =>
      (events ?? []).map(({ type, data }, i, all) => ({
        place: `${epoch}.${seq}.${i === all.length - 1 ? -1 : i}`,
        type,
        card_id: data.id,
      })),
    )
    const end = phaseOf(marks, 'end')
    const stored = interactionsOf(deliveries, channel_id)
    return [...groupBy(streams.get(channel_id) ?? [], ({ stream }) => stream)].flatMap(([stream, events]) => [
      // What was lost may have been heard, and its number is given again.
      ...(end === Infinity || may_reset
        ? []
        : checkInteractions(`stream ${stream} of channel ${channel_id}`, events, stored)),
      ...checkStream(
        `stream ${stream} of channel ${channel_id}`,
        // What was lost afterwards may have been heard.
        events.filter(({ id }) => !gone.has(`${channel_id} ${id.split('.').slice(0, 2).join('.')}`)),
        logged,
        { ended: end !== Infinity, may_reset },
      ),
    ])
  })
}

/** Number → interaction_id, in order. */
function interactionsOf(deliveries: StoredDelivery[], channel_id: string): Map<number, string> {
  const rows = deliveries.filter(row => row.channel_id === channel_id).sort((a, b) => a.number - b.number)
  return new Map(rows.map(({ number, interaction_id }) => [number, interaction_id]))
}

/** Streams begin before the first interaction. */
function checkInteractions(name: string, heard: Heard[], stored: Map<number, string>): Finding[] {
  const findings: Finding[] = []
  const wrong = (promise: string, what: string) => findings.push({ promise, message: `${name} ${what}` })
  const missing = new Map(stored)
  let last = 0
  for (const { event, id, data } of heard) {
    if (event !== 'interaction.created') continue
    const number = Number(id.split('.')[3])
    const interaction_id = isObject(data) ? data.interaction_id : null
    if (number <= last) wrong('P5', `heard interaction ${number} after ${last}`)
    else if (stored.get(number) !== interaction_id)
      wrong('P5', `heard interaction ${interaction_id} as ${number}, and the table has ${stored.get(number)}`)
    missing.delete(number)
    last = number
  }
  const [first] = missing.keys()
  if (first !== undefined)
    wrong(
      first > last ? 'P6' : 'P5',
      `never heard ${missing.size} interactions, the first with number ${first}`,
    )
  return findings
}

type Expected = {
  /** The run came to its end, so everything should have been heard. */
  ended: boolean
  /** The database lost history: the stream may have to start over. */
  may_reset: boolean
}

function checkStream(
  name: string,
  heard: Heard[],
  logged: Logged[],
  { ended, may_reset }: Expected,
): Finding[] {
  const findings: Finding[] = []
  const places = new Map(logged.map(({ place }, i) => [place, i]))
  const wrong = (promise: string, what: string) => findings.push({ promise, message: `${name} ${what}` })
  let next = 0
  for (const { event, id, data } of heard) {
    if (event === 'interaction.created' || event === 'joined' || event === 'resumed') continue
    if (event === 'reset') {
      if (!may_reset) wrong('P5', 'had to start over, and no history was lost')
      // The client reads the channel again; the stream continues anywhere later.
      next = -1
      continue
    }
    const place = id.split('.').slice(0, 3).join('.')
    const at = places.get(place)
    const expected = at === undefined ? undefined : logged[at]
    if (at === undefined || !expected) wrong('P5', `heard ${event} ${id}, which the log doesn't have`)
    else if (expected.type !== event || expected.card_id !== idOf(data))
      wrong(
        'P5',
        `heard ${event} of ${idOf(data)} as ${id}, and the log has ${expected.type} of ${expected.card_id}`,
      )
    else if (next !== -1 && at !== next) wrong('P5', `heard ${id} where ${logged[next]?.place} was next`)
    if (at !== undefined) next = at + 1
  }
  if (ended && next !== -1 && next < logged.length)
    wrong('P6', `lacks the last ${logged.length - next} events of the log`)
  return findings
}

const isObject = (data: unknown): data is Record<string, unknown> => typeof data === 'object' && data !== null

const idOf = (data: unknown) => (isObject(data) ? data.id : null)

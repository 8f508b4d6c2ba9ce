// P5 and P6 for event streams: every event of the log, each once and in order, across reconnects.
import { groupBy } from '../group.ts'
import type { Heard } from '../load/streams.ts'
import { byChannel, type Files, type Finding, phaseOf } from './files.ts'

type Logged = { place: string; type: string; card_id: string }

export function checkStreams({ turns, lost, heard, marks }: Files): Finding[] {
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
    return [...groupBy(streams.get(channel_id) ?? [], ({ stream }) => stream)].flatMap(([stream, events]) =>
      checkStream(
        `stream ${stream} of channel ${channel_id}`,
        // What was lost afterwards may have been heard.
        events.filter(({ id }) => !gone.has(`${channel_id} ${id.split('.').slice(0, 2).join('.')}`)),
        logged,
        { ended: end !== Infinity, may_reset },
      ),
    )
  })
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
    if (event === 'interaction.created' || event === 'joined') continue
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

const idOf = (data: unknown) => (typeof data === 'object' && data !== null && 'id' in data ? data.id : null)

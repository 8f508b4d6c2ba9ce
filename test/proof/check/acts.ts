// P7: what is logged of an interaction is what the viewer sent, and the card as it was after some write.

import { loggedAct } from '../model/acts.ts'
import { CARD_NOT_FOUND } from '../model/refusals.ts'
import { canonical } from './canonical.ts'
import { byChannel, type Files, type Finding } from './files.ts'
import { locate } from './locate.ts'
import { isWrite, type Operation, operationsOf } from './operations.ts'
import { type Replayed, rangesWhere, replay } from './replay.ts'

export function checkActs({ tried, turns }: Files): Finding[] {
  const operations = byChannel(operationsOf(tried))
  return [...byChannel(turns)].flatMap(([channel_id, log]) => {
    const all = operations.get(channel_id) ?? []
    const writes = all.filter(isWrite)
    const replayed = replay(locate(log, writes), writes)
    return all.flatMap(one => checkAct(one, replayed))
  })
}

function checkAct({ request, answer, tries }: Operation, replayed: Replayed): Finding[] {
  if (request.kind !== 'interact' || !answer) return []
  const wrong = (what: string) => [{ promise: 'P7', message: `interaction ${request.op} ${what}` }]
  const { status, body } = answer
  if (status === 404 && 'card_id' in request && canonical(body) === canonical(CARD_NOT_FOUND.body)) {
    const gone = rangesWhere(replayed, request.card_id, state => state.body === null)
    return gone.length > 0 || !replayed.cards.has(request.card_id) ? [] : wrong('found no card')
  }
  if ((status !== 201 && status !== 200) || !isLogged(body))
    return wrong(`got ${status} ${JSON.stringify(body)}`)
  const answers = new Set(tries.flatMap(one => (isLogged(one.answer?.body) ? [sentOf(one.answer.body)] : [])))
  if (answers.size > 1) return wrong(`got ${[...answers].join(' and ')}`)
  const shows = (card: Parameters<typeof loggedAct>[1]) =>
    canonical(loggedAct(request, card)) === canonical({ trigger: body.trigger, card_state: body.card_state })
  const wasTrue =
    request.act === 'reply'
      ? shows(null)
      : rangesWhere(replayed, request.card_id, ({ card }) => card !== null && shows(card)).length > 0
  return wasTrue ? [] : wrong(`is logged as ${sentOf(body)}, which the card never showed`)
}

type Logged = { trigger: unknown; card_state: unknown }

/** Without `card_id`, which a deletion clears. */
const sentOf = ({ trigger, card_state }: Logged) => canonical({ trigger, card_state })

const isLogged = (body: unknown): body is Logged =>
  typeof body === 'object' && body !== null && 'trigger' in body && 'card_state' in body

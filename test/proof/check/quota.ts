// P9: a user's counted cards of a day equal the creations in the log and never exceed the limit, and a 429 is given only
// if the limit was used up, and then at once.
import type { TappedTurn } from '../cluster/tap.ts'
import { dayOf, usedOn } from '../model/quota.ts'
import { OVER_QUOTA } from '../model/refusals.ts'
import { canonical } from './canonical.ts'
import { type Files, type Finding, phaseOf } from './files.ts'
import { opOf } from './locate.ts'
import { slownessIn } from './machine.ts'
import { operationsOf } from './operations.ts'
import { lossOf } from './without-lost.ts'

/** Without faults, a 429 takes no longer than this and the slowest acknowledged request near it. */
const AT_ONCE_US = 1_000_000
const SLOW_MAX = 1.6
/** Near: at the same time, or this long before. */
const NEAR_US = 3_000_000

export function checkQuota(files: Files): Finding[] {
  return [...checkUsage(files), ...checkRefusals(files), ...checkDelays(files)]
}

function checkUsage({ turns, ending, spender }: Files): Finding[] {
  const owners = new Map(
    ending.flatMap(record => (record.kind === 'owner' ? [[record.channel_id, record.user_id]] : [])),
  )
  const created = new Map<string, string[]>()
  for (const { channel_id, events } of turns)
    for (const { type, data } of events ?? []) {
      const owner = owners.get(channel_id)
      if (type !== 'card.inserted' || owner === undefined) continue
      created.set(owner, [...(created.get(owner) ?? []), data.created_at])
    }
  return [...new Set(owners.values())].flatMap(user_id => {
    const before = new Map(spender?.user_id === user_id ? [[spender.day, spender.before]] : [])
    const expected = usedOn(created.get(user_id) ?? [], before)
    const counted = new Map(
      ending.flatMap(record =>
        record.kind === 'usage' && record.user_id === user_id ? [[record.day, record.cards]] : [],
      ),
    )
    return [...new Set([...expected.keys(), ...counted.keys()])].flatMap(day => {
      const [is, ought] = [counted.get(day) ?? 0, expected.get(day) ?? 0]
      if (is === ought) return []
      const message = `user ${user_id} has ${is} cards counted on ${day}, and the log implies ${ought}`
      return [{ promise: 'P9', message }]
    })
  })
}

/** The spender's cards: never more than the day had left, and no 429 before so many were under way. */
function checkRefusals({ tried, turns, lost, marks, spender }: Files): Finding[] {
  const findings: Finding[] = []
  const wrong = (message: string) => findings.push({ promise: 'P9', message })
  const begun = new Map(operationsOf(tried).map(({ request, begin }) => [request.op, begin]))
  const createdIn = (log: TappedTurn[]) =>
    log.flatMap(({ channel_id, events }) =>
      channel_id !== spender?.channel_id
        ? []
        : (events ?? []).flatMap(({ type, data }) =>
            type === 'card.inserted' && dayOf(data.created_at) === spender.day
              ? [begun.get(opOf(data)) ?? 0]
              : [],
          ),
    )
  const created = createdIn(turns)
  // Cards that a failover lost used up the day until then.
  const with_lost = [...created, ...createdIn(lost)]
  const noticed_at = lossOf(marks)?.ended ?? 0
  const left = spender ? spender.limit - spender.before : Infinity
  if (created.length > left) wrong(`${created.length} cards were created on a day that had ${left} left`)
  for (const { request, channel_id, answer, end } of tried) {
    if (answer?.status !== 429 || request.kind === 'interact' || request.kind === 'redeliver') continue
    const before = (end <= noticed_at ? with_lost : created).filter(begin => begin < end).length
    if (canonical(answer.body) !== canonical(OVER_QUOTA.body))
      wrong(`${request.op} got 429 ${JSON.stringify(answer.body)}`)
    else if (channel_id !== spender?.channel_id || before < left)
      wrong(`${request.op} got 429 when ${before} of ${left} cards were under way`)
  }
  return findings
}

/** Even if another instance has used up the day. */
function checkDelays({ tried, marks, machine }: Files): Finding[] {
  const resume = phaseOf(marks, 'resume')
  const calm = tried.filter(one => one.begin >= resume && one.answer && one.answer.status < 300)
  return tried.flatMap(({ request, begin, end, answer }) => {
    if (answer?.status !== 429 || begin < resume) return []
    const near = calm.filter(one => one.end >= begin - NEAR_US && one.begin <= end)
    const slowest = Math.max(0, ...near.map(one => one.end - one.begin))
    // These requests tell how slow the machine is. The probe counts for what is left only.
    const slow = Math.min(SLOW_MAX, slownessIn({ machine }, begin, end))
    if (end - begin <= slowest + AT_ONCE_US * slow) return []
    return [{ promise: 'P9', message: `${request.op} got 429 after ${Math.round((end - begin) / 1000)} ms` }]
  })
}

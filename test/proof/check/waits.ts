// D2: whoever waits for a decision is told soon after it ended, on every instance.
import { type Files, type Finding, phaseOf } from './files.ts'
import { heardBy, soonAfter } from './heard.ts'
import { questionsOf } from './questions.ts'
import { deadlineOf } from './rights.ts'

/** If a notice is lost. */
const CALM_S = 6
/** Once an event stream of the same instance has told of the end. */
const HEARD_S = 1.5

export function checkWaits({
  turns,
  waits,
  ...files
}: Pick<Files, 'turns' | 'waits' | 'heard' | 'marks' | 'machine'>): Finding[] {
  const questions = questionsOf(turns)
  const heardAt = heardBy(files)
  return waits.flatMap(({ decision_id, channel_id, instance, begin, end, answer }) => {
    const ended = questions.get(decision_id)?.ends[0]?.turn.at
    // A request that failed is sent again.
    if (ended === undefined || (end !== null && answer?.status !== 200)) return []
    const since = Math.max(ended, begin)
    const known = heardAt(
      channel_id,
      instance,
      ({ event, data }) =>
        /^decision\.(decided|expired|cancelled)$/.test(event) && idOf(data) === decision_id,
    )
    const limit = Math.min(
      deadlineOf(since, files, CALM_S),
      soonAfter(Math.max(known, begin), files, HEARD_S),
    )
    const told = end ?? phaseOf(files.marks, 'end')
    if (told <= limit || told === Infinity) return []
    const took = ((told - since) / 1e6).toFixed(1)
    const what = end === null ? `wasn't told for ${took} s` : `was told after ${took} s`
    return [
      {
        promise: 'D2',
        message: `a wait at instance ${instance} ${what} that decision ${decision_id} had ended`,
      },
    ]
  })
}

const idOf = (data: unknown) =>
  typeof data === 'object' && data !== null && 'id' in data ? data.id : undefined

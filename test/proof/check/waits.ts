// D2: whoever waits for a decision is told soon after it ended, on every instance.
import { type Files, type Finding, phaseOf } from './files.ts'
import { questionsOf } from './questions.ts'
import { deadlineOf } from './rights.ts'

/** If a notice is lost. Who is told within a second otherwise is a matter of calm machines. */
const CALM_S = 6

export function checkWaits({
  turns,
  waits,
  ...files
}: Pick<Files, 'turns' | 'waits' | 'marks' | 'machine'>): Finding[] {
  const questions = questionsOf(turns)
  return waits.flatMap(({ decision_id, instance, begin, end, answer }) => {
    const ended = questions.get(decision_id)?.ends[0]?.turn.at
    // A request that failed is sent again.
    if (ended === undefined || (end !== null && answer?.status !== 200)) return []
    const since = Math.max(ended, begin)
    const limit = deadlineOf(since, files, CALM_S)
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

// The answers to commits of one instance are lost: it doesn't learn whether they took effect.
import { holdsWithin } from '../wait.ts'
import { type Begin, instanceOf } from './nemesis.ts'

/** On a slow machine, the commits that were planned meanwhile come later. */
const LATE_MS = 5_000

export const lostAnswers: Begin<'lost answers'> = async (stage, fault) => {
  const { name, links } = instanceOf(stage, fault)
  const before = links.postgres.counts.lost_answers
  const lost = () => links.postgres.counts.lost_answers - before
  links.postgres.loseAnswers(true)
  return {
    async end() {
      await holdsWithin(LATE_MS, () => lost() > 0)
      links.postgres.loseAnswers(false)
    },
    evidence: () => (lost() > 0 ? `${name} lost the answers of ${lost()} commits` : null),
  }
}

// The answers to commits are lost: PostgreSQL has done them, and the connection breaks before the instance hears it.
import { type Begin, instanceOf } from './nemesis.ts'

export const lostAnswers: Begin<'lost answers'> = async (cluster, fault) => {
  const { links, name } = instanceOf(cluster, fault)
  const before = links.postgres.counts.lost_answers
  links.postgres.loseAnswers(true)
  return {
    end: async () => links.postgres.loseAnswers(false),
    evidence() {
      const lost = links.postgres.counts.lost_answers - before
      return lost > 0 ? `${name} lost the answers of ${lost} commits` : null
    },
  }
}

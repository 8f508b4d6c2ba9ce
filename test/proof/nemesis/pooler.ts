// A pooler in transaction mode stands before the database: each transaction may get another session.
import type { Begin } from './nemesis.ts'

export const pooler: Begin<'pooler'> = async stage => {
  const before = stage.pooler?.moves ?? 0
  let moves = 0
  return {
    async end() {
      moves = (stage.pooler?.moves ?? 0) - before
    },
    evidence: () => (moves > 0 ? `${moves} transactions got another session than the one before` : null),
  }
}

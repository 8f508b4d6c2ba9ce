// A connection that counts its queries and can hold back their results.
import type { Sql } from '../../server/database/connect.ts'

export function countQueries(sql: Sql) {
  let queries = 0
  let held: { arrived: () => void; released: Promise<void> } | null = null
  const counting = new Proxy(sql, {
    apply(target, self, given) {
      queries++
      const query: unknown = Reflect.apply(target, self, given)
      if (held === null) return query
      const { arrived, released } = held
      return Promise.resolve(query).then(async rows => {
        arrived()
        await released
        return rows
      })
    },
  })
  return {
    sql: counting,
    queries: () => queries,
    /** Holds back the results of queries that begin from now on, until `release`. */
    hold() {
      let release = () => {}
      let arrived = () => {}
      const released = new Promise<void>(resolve => {
        release = () => {
          held = null
          resolve()
        }
      })
      const answered = new Promise<void>(resolve => {
        arrived = resolve
      })
      held = { arrived, released }
      return { answered, release }
    },
  }
}

// Two instances on one database, connected only by PostgreSQL's bus and the log.
import { testTwoInstances } from './instance-cases.ts'

testTwoInstances(
  () => ({}),
  ({ sql }) => sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`,
)

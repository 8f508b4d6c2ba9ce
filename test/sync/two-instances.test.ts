// Two instances on one database, without a word between them but PostgreSQL's bus and the log.
import { testTwoInstances } from './instance-cases.ts'

testTwoInstances(
  () => ({}),
  ({ sql }) => sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query ilike 'listen%'`,
)

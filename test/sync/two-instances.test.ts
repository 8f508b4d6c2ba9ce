// Two instances on one database, connected only by PostgreSQL's bus and the log.
import { cutNotices } from '../support/database.ts'
import { runInstances } from '../support/running.ts'
import { testTwoInstances } from './instance-cases.ts'

const instances = await runInstances()
await testTwoInstances(instances, () => cutNotices(instances.there.sql))

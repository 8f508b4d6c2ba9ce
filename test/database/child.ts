// Run by tests in a process of its own: starts the embedded database of a folder, prints its address or the error, and
// stops it when standard input ends.
import { pino } from 'pino'
import { DatabaseError } from '../../server/database/database-error.ts'
import { startEmbedded } from '../../server/database/embedded.ts'

const [data_dir = ''] = process.argv.slice(2)
const options = { data_dir, log: pino({ level: 'silent' }), package: process.env.TEST_POSTGRES_PACKAGE }
try {
  const server = await startEmbedded(options)
  console.log(JSON.stringify({ socket_dir: server.socket_dir }))
  process.stdin.resume().once('end', () => server.stop())
} catch (error) {
  if (!(error instanceof DatabaseError)) throw error
  console.log(JSON.stringify({ error: error.message }))
}

// The embedded PostgreSQL of a test's server.
import { join } from 'node:path'
import { readPidFile } from '../../server/database/embedded-folder.ts'
import type { TestServer } from '../support/server.ts'

export const pidFileOf = ({ data_dir }: TestServer) => readPidFile(join(data_dir, 'postgres'))

// Runs in each file of browser tests: its server starts from the data that the global setup has prepared.
import { inject } from 'vitest'
import { TEMPLATE } from '../../support/server.ts'

process.env[TEMPLATE] = inject('server_template')

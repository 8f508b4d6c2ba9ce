// In each file of browser tests: its server is a copy of the one that the global setup has started.
import { inject } from 'vitest'
import { TEMPLATE } from '../../support/server.ts'

process.env[TEMPLATE] = inject('server_template')

// Whether agents wait for the answers to a channel's questions. A fact about requests: it changes no outcome.
import { z } from 'zod'
import { timestamp, uuid } from './text.ts'

/** `waiting`: a request of the asker waits for the answer. `looked_at`: when the asker last read the question. */
const look = z.object({ waiting: z.boolean(), looked_at: timestamp })
export type Look = z.output<typeof look>

/** By decision: those that wait and that their asker has read, at most the newest 200. */
export const looks = z.object({ looks: z.record(uuid, look) })
export type Looks = z.output<typeof looks>

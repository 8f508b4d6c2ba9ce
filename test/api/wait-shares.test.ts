// Requests that wait on a busy channel must not delay the answers on others.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createCap } from '../../server/auth/caps.ts'
import { refusalsOf } from '../../server/auth/runners.ts'
import { DecisionLooks } from '../../server/decisions/looks.ts'
import { DecisionWaits } from '../../server/decisions/waits.ts'
import { unavailable } from '../../server/errors.ts'
import { createAccount } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { unheard } from '../support/decisions.ts'
import { runService } from '../support/running.ts'
import { until } from '../support/viewer.ts'

const service = await runService()
const { sql, feeds } = service

test('a read has decisions of every channel, however many are awaited on one', async () => {
  const ann = await createAccount(service)
  const [busy, quiet] = await Promise.all([createChannel(ann), createChannel(ann)])
  for (const id of [busy, quiet]) await feeds.get(id).refresh()
  const reads: string[][] = []
  let release = () => {}
  const released = new Promise<void>(resolve => {
    release = resolve
  })
  const log = pino({ level: 'silent' })
  const waits = new DecisionWaits({
    refusalsOf: runners => refusalsOf(sql, runners),
    feeds,
    log,
    now: Date.now,
    looks: new DecisionLooks({ sql, log, elapsed: () => performance.now() }),
    read: async awaited => {
      reads.push(awaited.map(({ channel_id }) => channel_id))
      await released
      return []
    },
    perCaller: createCap(null, unavailable),
    perInstance: createCap(null, unavailable),
  })
  const caller = { user_id: ann.user_id, key: undefined, session_id: undefined }
  const add = (channel_id: string) => waits.add({ id: randomUUID(), channel_id }, caller, 60_000, unheard)
  const open = Array.from({ length: 3_000 }, () => add(busy))
  open.push(add(quiet))
  release()
  await until(() => reads.length > 1, 'the waits that came during a read are read')
  expect(reads[1]).toContain(quiet)
  expect(reads[1]?.length).toBeLessThanOrEqual(1_000)
  for (const wait of open) waits.remove(wait)
})

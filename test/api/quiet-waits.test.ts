// Requests that wait while nothing happens, or while what happens isn't reported.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createCap } from '../../server/auth/caps.ts'
import { refusalsOf } from '../../server/auth/runners.ts'
import { DecisionLooks } from '../../server/decisions/looks.ts'
import { DecisionWaits } from '../../server/decisions/waits.ts'
import { tooManyWaits } from '../../server/errors.ts'
import { countQueries } from '../auth/count-queries.ts'
import { settle, startFeed } from '../feed/scripted.ts'
import { createTestKey, withKey } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { ask, unheard, waitFor } from '../support/decisions.ts'
import { failed } from '../support/errors.ts'
import { runWithOwner } from '../support/running.ts'
import { until } from '../support/viewer.ts'

const { service, ann } = await runWithOwner()
const { sql, feeds, database } = service

/** An answer may take this long if its notice is lost. */
const LOST_MS = 6_000
/** Every channel's log is confirmed at the same time, so that all of them are due for a check in the same second. */
const CHANNELS = 9

async function askInChannels() {
  const asked = await Promise.all(
    Array.from({ length: CHANNELS }, async () => {
      const channel_id = await createChannel(ann)
      return { channel_id, ...(await ask(ann.key, channel_id)) }
    }),
  )
  const answers = asked.map(({ path }) => waitFor(ann.key, path))
  await until(() => service.waits.open.length === CHANNELS, 'all wait')
  return { asked, answers }
}

test('answers whose notices were lost arrive within six seconds, whatever the number of channels', {
  timeout: 20_000,
}, async () => {
  const { asked, answers } = await askInChannels()
  const history = await settle(sql)
  await Promise.all(
    asked.map(async ({ channel_id, card_id, id: decision_id }) => {
      const { feed, snapshots } = startFeed(database, channel_id, { history })
      const mutation = { kind: 'end', how: 'withdraw', card_id, decision_id } as const
      await feed.writer.write({ mutation, owner_id: ann.user_id })
      await snapshots.stop()
    }),
  )
  const began = performance.now()
  for (const { body } of await Promise.all(answers)) expect(body.state).toBe('cancelled')
  expect(performance.now() - began).toBeLessThan(LOST_MS)
})

test('channels that were deleted without a notice end their waits with 404 within six seconds', {
  timeout: 20_000,
}, async () => {
  const { asked, answers } = await askInChannels()
  const began = performance.now()
  for (const { channel_id } of asked) await sql`delete from documents where channel_id = ${channel_id}`
  for (const answer of await Promise.all(answers))
    expect(answer).toMatchObject(failed(404, 'Channel not found'))
  expect(performance.now() - began).toBeLessThan(LOST_MS)
})

test('a key that was deleted just before its wait was added ends the wait with 401', async () => {
  const channel_id = await createChannel(ann)
  const { path, id } = await ask(ann.key, channel_id)
  const doomed = await createTestKey(ann.session)
  await ann.session('DELETE', `/api-keys/${doomed.id}`)
  expect(await waitFor(withKey(service.url, doomed.key), path)).toMatchObject(failed(401, 'Unauthorized'))
  const refused = new Promise(refuse => {
    const key = {
      id: doomed.id,
      user_id: ann.user_id,
      scope: 'read',
      workspace_id: null,
      expires_at: null,
    } as const
    const caller = { user_id: ann.user_id, key, session_id: undefined }
    service.waits.add({ id, channel_id }, caller, 60_000, { ...unheard, refuse })
  })
  await service.waits.check()
  expect(await refused).toMatchObject({ status: 401 })
})

test('D2: a wait is looked up once, and then costs no query while its channel stays the same', async () => {
  const channel_id = await createChannel(ann)
  const { id } = await ask(ann.key, channel_id)
  const { sql: counting, queries } = countQueries(sql)
  let reads = 0
  const cap = createCap(null, tooManyWaits)
  const log = pino({ level: 'silent' })
  const waits = new DecisionWaits({
    refusalsOf: runners => refusalsOf(counting, runners),
    feeds,
    log,
    now: Date.now,
    looks: new DecisionLooks({ sql, log, elapsed: () => performance.now() }),
    read: async () => {
      reads++
      return []
    },
    perCaller: cap,
    perInstance: cap,
  })
  const { id: key_id } = await createTestKey(ann.session)
  const key = {
    id: key_id,
    user_id: ann.user_id,
    scope: 'read',
    workspace_id: null,
    expires_at: null,
  } as const
  const wait = waits.add(
    { id, channel_id },
    { user_id: ann.user_id, key, session_id: undefined },
    60_000,
    unheard,
  )
  await until(() => reads === 1, 'the decision is read')
  for (let i = 0; i < 3; i++) await waits.check()
  expect({ reads, key_lookups: queries() }).toEqual({ reads: 1, key_lookups: 1 })
  waits.remove(wait)
})

// D9: questions that may be abandoned while instances or the database come and go. Clocks are moved.
import { beforeEach, expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { type Account, createAccount } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { createChannel } from '../support/channels.ts'
import { type Asked, ask, openWait } from '../support/decisions.ts'
import { runWithMovedClock } from '../support/moved-clock.ts'
import { callTo, type TestService } from '../support/service.ts'
import { until } from '../support/viewer.ts'

const clock = await runWithMovedClock()
const { sql } = clock.database
/** Real time passes too. */
const MINUTE_S = 50
const abandoned = { state: 'cancelled', reason: 'abandoned' }

async function start(): Promise<TestService> {
  const service = await clock.launch()
  afterTest(() => service.stop())
  return service
}

let service: TestService
let account: Account
let asked: Asked
/** `service` has run for a minute, so it may close questions. */
beforeEach(async () => {
  service = await clock.launch()
  account = await createAccount(service)
  await clock.pass(60, [service])
  asked = await ask(account.key, await createChannel(account), { abandon: 'cancel' })
  return () => service.stop()
})

const wait = async (at: TestService) => {
  const waiting = await openWait(at, account.api_key, asked)
  await at.looks.renew()
  return waiting
}
const readAt = async ({ url }: TestService) =>
  (await callTo(`${url}/api`, { Cookie: account.cookie })<FullDecision>('GET', asked.path)).body
async function secondsToEnd(at: TestService): Promise<number> {
  for (let seconds = 1; seconds <= 90; seconds++) {
    await clock.pass(1, [at])
    if ((await readAt(at)).state !== 'waiting') return seconds
  }
  return Number.POSITIVE_INFINITY
}

test.each(['drain', 'stop'] as const)(
  'D9: after a %s, the question stays if the client asks again on another instance',
  async how => {
    const leaving = await start()
    const waiting = await openWait(leaving, account.api_key, asked)
    if (how === 'drain') await leaving.drain(50, new AbortController().signal)
    else await leaving.stop()
    expect(await waiting.answer).toMatchObject({ state: 'waiting' })
    await clock.pass(15, [service])
    const again = await wait(service)
    await clock.pass(60, [service])
    expect((await readAt(service)).state).toBe('waiting')
    await again.leave()
  },
)

test('D9: after a restart, the question stays if its client is back within 50 s', async () => {
  await (await wait(service)).leave()
  await service.stop()
  await clock.jump(600)
  const restarted = await start()
  await clock.pass(50, [restarted])
  const waiting = await wait(restarted)
  await clock.pass(60, [restarted])
  expect((await readAt(restarted)).state).toBe('waiting')
  await waiting.leave()
})

test('D9: without its client, the question ends a minute after an instance is back', async () => {
  await (await wait(service)).leave()
  await service.stop()
  await clock.jump(600)
  const restarted = await start()
  const seconds = await secondsToEnd(restarted)
  expect(seconds).toBeGreaterThanOrEqual(MINUTE_S)
  expect(seconds).toBeLessThanOrEqual(65)
  expect(await readAt(restarted)).toMatchObject(abandoned)
})

test('D9: after an instance was killed, the question ends on the other within 45 s', async () => {
  const killed = await start()
  const waiting = await wait(killed)
  await clock.pass(23, [service, killed])
  // From now on, nobody renews the lease there.
  const seconds = await secondsToEnd(service)
  expect(seconds).toBeGreaterThan(15)
  expect(seconds).toBeLessThanOrEqual(45)
  expect(await waiting.answer).toMatchObject(abandoned)
})

test('D9: after the database was gone for 90 s, the question stays if its client is back within 50 s', async () => {
  await (await wait(service)).leave()
  await clock.passWithout(90, [service])
  await clock.pass(50, [service])
  const waiting = await wait(service)
  await clock.pass(60, [service])
  expect((await readAt(service)).state).toBe('waiting')
  await waiting.leave()
})

test('D9: a request that waits while the database is gone for 90 s keeps the question', async () => {
  const waiting = await wait(service)
  await clock.passWithout(90, [service])
  await clock.pass(90, [service])
  expect((await readAt(service)).state).toBe('waiting')
  await waiting.leave()
})

test('D9: without its client, the question ends a minute after the database is back', async () => {
  await (await wait(service)).leave()
  await clock.passWithout(90, [service])
  const seconds = await secondsToEnd(service)
  expect(seconds).toBeGreaterThanOrEqual(MINUTE_S)
  expect(seconds).toBeLessThanOrEqual(65)
})

test('D9: after lost history was found, the question stays for a minute', async () => {
  await (await wait(service)).leave()
  await sql`update database_generation set timeline = timeline + 1`
  await until(() => !service.looks.trusted, 'the loss is found')
  expect(await secondsToEnd(service)).toBeGreaterThanOrEqual(MINUTE_S)
})

test('D9: while leases can’t be written, and for a minute after that, the question stays', async () => {
  await (await wait(service)).leave()
  const other = await ask(account.key, await createChannel(account))
  const waiting = await openWait(service, account.api_key, other)
  await sql.unsafe(`
    create function refuse_lease() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuse before insert on decision_looks for each row when (new.leased) execute function refuse_lease()`)
  await clock.pass(60, [service])
  expect((await readAt(service)).state).toBe('waiting')
  await sql.unsafe('drop function refuse_lease cascade')
  await clock.noticing(() => service.looks.renew())
  const seconds = await secondsToEnd(service)
  expect(seconds).toBeGreaterThanOrEqual(MINUTE_S)
  expect(seconds).toBeLessThanOrEqual(70)
  await waiting.leave()
})

test('D9: a clock of the database that goes back an hour neither ends a question nor keeps it for an hour', async () => {
  const waiting = await wait(service)
  await clock.setDatabaseBack(3_600)
  await clock.pass(90, [service])
  expect((await readAt(service)).state).toBe('waiting')
  await waiting.leave()
  expect(await secondsToEnd(service)).toBeLessThanOrEqual(65)
})

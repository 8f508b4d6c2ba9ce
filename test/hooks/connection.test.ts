// A hook is never repeated, so its question ends with its connection: on every screen, and before any later press.
import { expect, test } from 'vitest'
import { afterTest } from '../support/after-test.ts'
import { decisionOf } from '../support/decisions.ts'
import {
  buildHookScene,
  cardsOf,
  decisionOfHook,
  endsAs,
  HOST_IDS,
  openHook,
  pressHook,
  sendHook,
} from '../support/hooks.ts'
import { countLockWaits, holdLocks, PATIENT_LOCK_MS } from '../support/locks.ts'
import { runInstances } from '../support/running.ts'
import { times } from '../support/times.ts'
import { until, watchSynced } from '../support/viewer.ts'

const { here, there } = await runInstances({ WORKSPACE_LIMIT: '0' }, { lock_ms: PATIENT_LOCK_MS })
const scene = await buildHookScene(here)
const { account, channel_id } = scene

test.each(HOST_IDS)(
  'a closed connection of %s ends its question within a second, on every screen',
  async host => {
    const headers = { Cookie: account.cookie }
    const viewer = await watchSynced(there.url, channel_id, { headers })
    const hook = await openHook(scene, host)
    const shown = () => decisionOf(viewer.cards().find(({ id }) => id === hook.card.id))
    await until(() => shown()?.state === 'waiting', 'the screen shows the question')
    const began = performance.now()
    hook.leave()
    await until(() => shown()?.reason === 'abandoned', 'the screen shows its end')
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(await pressHook(scene, hook, 'allow')).toMatchObject({
      status: 409,
      body: { code: 'cancelled', decision: { reason: 'abandoned' } },
    })
    viewer.leave()
  },
)

test('of a press and a closed connection at the same moment, one wins, and both sides agree', async () => {
  for (let round = 0; round < 4; round++) {
    const ends = await times(20, async i => {
      const hook = await openHook(scene, 'codex')
      const answer = hook.answer().catch(() => null)
      const press = pressHook(scene, hook, 'allow', { seen: hook.card.updated_at })
      // A little later each time, so that some presses win.
      for (let turn = 0; turn < i * i; turn++) await new Promise(setImmediate)
      hook.leave()
      const { status } = await press
      await until(async () => (await decisionOfHook(scene, hook)).state !== 'waiting', 'the question ends')
      const { state } = await decisionOfHook(scene, hook)
      return { status, state, is_answered: (await answer) !== null }
    })
    for (const { status, state, is_answered } of ends) {
      expect([status, state]).toEqual(status === 201 ? [201, 'decided'] : [409, 'cancelled'])
      if (is_answered) expect(state).toBe('decided')
    }
  }
})

test('a client that leaves before its card is stored leaves no question behind', async () => {
  const empty = await buildHookScene(here)
  const release = await holdLocks(here.database, async sql => {
    await sql`select from documents where channel_id = ${empty.channel_id} for update`
  })
  afterTest(release)
  const leaving = new AbortController()
  const sent = sendHook(empty, 'claude-code', { signal: leaving.signal })
  await until(async () => (await countLockWaits(here.sql)) > 0, 'the card waits to be stored')
  leaving.abort()
  await expect(sent).rejects.toThrow('aborted')
  await release()
  const reason = async () => decisionOf((await cardsOf(empty))[0])?.reason
  await until(async () => (await reason()) === 'abandoned', 'the question is stored, and ends')
})

test('a question without its asker is gone also for the other instance', async () => {
  const hook = await openHook({ ...scene, url: there.url }, 'gemini-cli')
  hook.leave()
  await endsAs(scene, hook, 'abandoned')
  await until(() => there.waits.open.length === 0, 'nothing waits any more')
})

test('an open hook counts as a waiter, so its question outlives its first lease', async () => {
  const hook = await openHook(scene, 'claude-code')
  const lease = async () => {
    const [row] = await here.sql<{ leased: boolean; runs: boolean }[]>`
      select leased, until > now() as runs from decision_looks where decision_id = ${hook.decision_id}`
    return row?.leased && row.runs
  }
  await until(async () => (await lease()) === true, 'the hook has a lease')
  hook.leave()
})

// D10: what viewers learn of the agents that wait, and what that costs.
import { pino } from 'pino'
import { beforeEach, describe, expect, test } from 'vitest'
import { deleteOldLooks } from '../../server/decisions/look-rows.ts'
import { DecisionLooks } from '../../server/decisions/looks.ts'
import { ShownLooks } from '../../server/decisions/shown-looks.ts'
import type { Looks } from '../../shared/looks.ts'
import { countQueries } from '../auth/count-queries.ts'
import { type Asked, ask, openWait } from '../support/decisions.ts'
import { runWithMovedClock } from '../support/moved-clock.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { callTo } from '../support/service.ts'
import { times } from '../support/times.ts'
import { until } from '../support/viewer.ts'

const clock = await runWithMovedClock({ WORKSPACE_LIMIT: '0' })
const service = await clock.run()
const { sql } = service
await sql.unsafe(`
  create table looks_written as select null::uuid as decision_id limit 0;
  create function note_look() returns trigger language plpgsql as $$
    begin insert into looks_written values (new.decision_id); return null; end $$;
  create trigger note_look after insert or update on decision_looks for each row execute function note_look();`)

let scene: Scene
let asked: Asked
beforeEach(async () => {
  scene = await buildScene(service)
  asked = await ask(scene.account.key, scene.channel_id)
})

const anyone = callTo(`${service.url}/api`)
const readLooks = async (): Promise<Looks['looks']> => {
  // Past the copy that viewers share.
  const shown = new ShownLooks(sql, Date.now)
  return (await shown.of(scene.channel_id)).looks
}
const lookOf = async () => (await readLooks())[asked.id]
const writesOf = async ({ id }: Asked) =>
  (await sql`select from looks_written where decision_id = ${id}`).length

describe('the view of looks', () => {
  test('D10: a viewer sees that an agent waits, and when it last looked after it left', async () => {
    expect(await lookOf()).toBeUndefined()
    const waiting = await openWait(service, scene.account.api_key, asked)
    await until(async () => (await lookOf())?.waiting === true, 'an agent waits')
    await waiting.leave()
    await clock.pass(50, [service])
    const looked = await lookOf()
    expect(looked).toMatchObject({ waiting: false, looked_at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) })
    const response = await anyone<Looks>('GET', `/channels/${scene.channel_id}/looks`)
    expect(response).toMatchObject({ status: 200, body: { looks: { [asked.id]: looked } } })
    expect(response.headers.get('Cache-Control')).toBe('no-store')
  })

  test('D10: a look without a wait shows when the agent looked, not that it waits', async () => {
    await scene.account.key('GET', asked.path)
    await service.looks.renew()
    expect(await lookOf()).toMatchObject({ waiting: false })
  })

  test('D10: the first minute of a question is nobody’s, even after a look without a wait', async () => {
    asked = await ask(scene.account.key, scene.channel_id, { abandon: 'cancel' })
    await clock.pass(1, [service])
    expect(await lookOf()).toBeUndefined()
    await scene.account.key('GET', asked.path)
    await service.looks.renew()
    expect(await lookOf()).toMatchObject({ waiting: false })
  })

  test('D10: looks of sessions and other keys, and ended or expired questions, are not shown', async () => {
    const { account, channel_id } = scene
    await account.session('GET', asked.path)
    await service.looks.renew()
    expect(await readLooks()).toEqual({})
    const over = await ask(account.key, channel_id, { expires_in: 3_600 })
    for (const { path } of [asked, over]) await account.key('GET', path)
    await service.looks.renew()
    expect(Object.keys(await readLooks()).sort()).toEqual([asked.id, over.id].sort())
    await account.key('DELETE', asked.path)
    const later = new ShownLooks(sql, () => Date.now() + 3_600_000)
    expect((await later.of(channel_id)).looks).toEqual({})
  })

  test('D10: the newest 200 questions are shown', async () => {
    const all = await times(205, () => ask(scene.account.key, scene.channel_id))
    for (const { path } of all) await scene.account.key('GET', path)
    await service.looks.renew()
    const shown = await readLooks()
    expect(Object.keys(shown)).toHaveLength(200)
    const newest = (
      await scene.account.key<{ decisions: { id: string }[] }>(
        'GET',
        `/channels/${scene.channel_id}/decisions?limit=1`,
      )
    ).body
    expect(shown).toHaveProperty(newest.decisions[0]?.id ?? '')
  })

  test('D10: all viewers of five seconds share one query', async () => {
    const { sql: counting, queries } = countQueries(sql)
    const shown = new ShownLooks(counting, Date.now)
    await times(20, () => shown.of(scene.channel_id))
    expect(queries()).toBe(1)
  })
})

describe('the cost of looks', () => {
  test('a poll every second for a minute writes at most 5 rows', async () => {
    const question = await ask(scene.account.key, scene.channel_id, { abandon: 'cancel' })
    const looked = { channel_id: scene.channel_id, decision_id: question.id }
    const poll = () => {
      service.looks.enter(looked)
      service.looks.leave(question.id)
    }
    poll()
    await service.looks.renew()
    await clock.pass(60, [service], poll)
    const count = await writesOf(question)
    expect(count).toBeGreaterThanOrEqual(3)
    expect(count).toBeLessThanOrEqual(5)
  })

  test('a poll without a wait is written once in 30 s', async () => {
    await clock.pass(60, [service], () => scene.account.key('GET', asked.path))
    expect(await writesOf(asked)).toBeLessThanOrEqual(3)
  })

  test('an instance without waiters sends nothing, and many waiters share a statement', async () => {
    const { sql: counting, queries } = countQueries(sql)
    const log = pino({ level: 'silent' })
    const looks = new DecisionLooks({ sql: counting, log, elapsed: () => performance.now() })
    await looks.renew()
    expect(queries()).toBe(0)
    const all = await times(50, () => ask(scene.account.key, scene.channel_id))
    for (const { id } of all) looks.enter({ channel_id: scene.channel_id, decision_id: id })
    await looks.renew()
    const used = queries()
    await looks.renew()
    expect(queries()).toBe(used)
    expect(Object.keys(await readLooks())).toHaveLength(50)
    await looks.stop()
  })

  test('rows of ended questions leave, and those of waiting ones stay', async () => {
    const other = await ask(scene.account.key, scene.channel_id)
    for (const { path } of [asked, other]) await scene.account.key('GET', path)
    await service.looks.renew()
    await scene.account.key('DELETE', asked.path)
    await deleteOldLooks(sql)
    const rows = await sql<{ decision_id: string }[]>`
      select decision_id from decision_looks where channel_id = ${scene.channel_id}`
    expect(rows).toEqual([{ decision_id: other.id }])
  })
})

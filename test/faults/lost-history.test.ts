// P11: the database returns without commits that it had acknowledged, while instances run.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { connect, type Sql } from '../../server/database/connect.ts'
import { migrate } from '../../server/database/migrate.ts'
import { readCards } from '../../server/feed/log/card-rows.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { type Postgres, startPostgres } from '../proof/cluster/postgres.ts'
import { startSupervisor } from '../proof/cluster/supervisor.ts'
import { type Link, postgresAt, startLink } from '../proof/net/link.ts'
import { afterTest } from '../support/after-test.ts'
import { readMetric } from '../support/metrics.ts'
import { type Receiver, startReceiver } from '../support/receiver.ts'
import { buildScene, type Scene } from '../support/scene.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { type StockVersion, until, watch } from '../support/viewer.ts'
import { CardWriter } from './card-writer.ts'

const FEED = 'feed'
const LOST = 20

let cluster: Postgres
/** The proxy between the instances and the database. */
let link: Link
let sql: Sql

beforeEach(async () => {
  const root = await mkdtemp(join(tmpdir(), 'channel-feed-cluster-'))
  const supervisor = await startSupervisor(join(root, 'run'))
  cluster = await startPostgres(supervisor, root)
  afterTest(() => cluster.end())
  await cluster.primary.admin`create database ${cluster.primary.admin(FEED)}`
  link = await startLink(postgresAt(cluster.primary.socket_dir), 'socket')
  afterTest(() => link.end())
  sql = connect(targetOf(link))
  afterTest(() => sql.end({ timeout: 0 }))
})

const targetOf = ({ socket_dir }: { socket_dir: string }) => ({ socket_dir, database: FEED })

async function startInstance(): Promise<TestService> {
  const database = { sql, target: targetOf(link), drop: async () => {} }
  const service = await startTestService({}, { database })
  afterTest(() => service.stop())
  return service
}

/** Ways in which a database that lacks the latest commits replaces the one that has them. */
type Loss = {
  /** Commits from now on will be missing. */
  begin(): Promise<void>
  end(): Promise<void>
}

async function failover(): Promise<Loss> {
  const replication = await startLink(postgresAt(cluster.primary.socket_dir), 'socket')
  afterTest(() => replication.end())
  const standby = await cluster.startStandby(replication.socket_dir)
  return {
    async begin() {
      await standby.caughtUp()
      replication.cut()
    },
    async end() {
      await cluster.primary.kill()
      await standby.promote()
      link.repoint(postgresAt(standby.socket_dir))
    },
  }
}

/** The copy has the same system identifier, timeline and name. */
async function swapInCopy(): Promise<Loss> {
  const { admin } = cluster.primary
  const whileUnused = async (statements: string[]) => {
    link.cut()
    await until(async () => {
      const others = await admin`
        select pg_terminate_backend(pid) from pg_stat_activity where datname = ${FEED}`
      return others.length === 0
    }, 'all connections are closed')
    for (const statement of statements) await admin.unsafe(statement)
    link.heal()
  }
  return {
    begin: () => whileUnused([`create database copy template ${FEED}`]),
    end: () => whileUnused([`alter database ${FEED} rename to old`, `alter database copy rename to ${FEED}`]),
  }
}

type Turn = { epoch: number; seq: number; turn_id: string }

const readTurns = (on: Sql, channel_id: string) => on<Turn[]>`
  select epoch, seq, turn_id from document_updates where channel_id = ${channel_id} order by seq`

/** Like our app: a viewer closed with 4409 drops its document and reconnects. */
function watchAsApp(url: string, { channel_id, account }: Scene, version: StockVersion) {
  const open = () => watch(url, channel_id, { token: account.api_key, version })
  let viewer = open()
  let losses = 0
  const current = () => {
    if (!viewer.closes.includes(4409)) return viewer
    losses++
    viewer.leave()
    viewer = open()
    return viewer
  }
  const cards = () => current().cards()
  return {
    losses: () => current() && losses,
    cards,
    texts: () => cards().map(({ blocks: [block] }) => (block?.type === 'text' ? block.content : '')),
  }
}

const lossesOf = (service: TestService) => readMetric(service, 'channel_feed_lost_histories_total')

/** A reply that is being delivered and one that waits, as stored in the database that takes over. */
async function queueReplies(scene: Scene, receiver: Receiver): Promise<void> {
  receiver.behave({ kind: 'stall' })
  await scene.reply('sent')
  await receiver.hasReceived(1)
  await scene.reply('waiting')
}

test.each([
  ['a failover to a standby that lacks commits', failover, 'these'],
  ['a copy that takes the name of its database', swapInCopy, 'these'],
  ['a copy, while only a new instance writes', swapInCopy, 'new'],
] as const)('P11: running instances notice %s, and nothing is shown or sent twice', async (_, lose, by) => {
  const first = await startInstance()
  const instances = [first, await startInstance()]
  const receiver = await startReceiver()
  afterTest(() => receiver.stop())
  const scene = await buildScene(first, { webhook_url: receiver.url })
  const { channel_id, account } = scene
  const versions = ['3.1', '2.1'] as const
  const viewers = instances.flatMap(({ url }) => versions.map(version => watchAsApp(url, scene, version)))
  const loss = await lose()
  await queueReplies(scene, receiver)
  await loss.begin()
  receiver.recover()
  await receiver.hasReceived(2)

  const writers = instances.map(({ url }) => new CardWriter(url, account.api_key, channel_id))
  afterTest(() => Promise.all(writers.map(writer => writer.stop())))
  await until(() => writers.every(({ acknowledged }) => acknowledged.length >= LOST), 'cards to be lost')
  const shown = writers.map(({ acknowledged }) => acknowledged[LOST - 1]?.text ?? '')
  for (const viewer of viewers)
    await until(() => shown.every(text => viewer.texts().includes(text)), 'viewers see what will be lost')
  const before = await readTurns(sql, channel_id)
  if (by === 'new') await Promise.all(writers.splice(0).map(writer => writer.stop()))
  await loss.end()
  const replaced_at = performance.now()
  if (by === 'new') writers.push(new CardWriter((await startInstance()).url, account.api_key, channel_id))

  await until(() => writers.every(writer => writer.since(replaced_at).length > 0), 'writing continues')
  const lastSeq = (turns: Turn[]) => turns.at(-1)?.seq ?? 0
  const passed = async () => lastSeq(await readTurns(sql, channel_id)) > lastSeq(before)
  await until(passed, 'every seq that was lost is used again')
  await Promise.all(writers.map(writer => writer.stop()))
  await until(() => viewers.every(({ losses }) => losses() > 0), 'every viewer starts over')
  const rows = await readCards(sql, channel_id, 0, Number.MAX_SAFE_INTEGER)
  for (const viewer of viewers) {
    await until(() => viewer.cards().at(-1)?.id === rows.at(-1)?.id, 'viewers see the newest card')
    expect(viewer.cards()).toEqual(rows)
    expect(viewer.texts()).not.toContain(shown[0])
    const written = writers.flatMap(writer => writer.since(replaced_at))
    expect(viewer.texts()).toEqual(expect.arrayContaining(written))
  }
  await expectRowsMatchDocument(sql, channel_id)

  const after = await readTurns(sql, channel_id)
  const turn_ids = new Map(before.map(({ epoch, seq, turn_id }) => [`${epoch} ${seq}`, turn_id]))
  for (const { epoch, seq, turn_id } of after)
    expect(turn_ids.get(`${epoch} ${seq}`) ?? turn_id, `${epoch} ${seq} has one content`).toBe(turn_id)

  await scene.reply('new')
  await receiver.hasReceived(3)
  expect(receiver.texts()).toEqual(['sent', 'waiting', 'new'])
  for (const instance of instances) expect(await lossesOf(instance)).toBe(1)
})

async function generation(): Promise<number> {
  const [row] = await sql<{ generation: number }[]>`select generation from database_generation`
  return row?.generation ?? 0
}

/** Until the standby's first checkpoint ends, its control file names the old timeline. */
async function promoteNow(): Promise<void> {
  const standby = await cluster.startStandby(cluster.primary.socket_dir)
  // The checkpoint writes ten pages a second.
  await cluster.primary.admin`create table pages as select repeat('x', 2000) from generate_series(1, 1000)`
  await standby.caughtUp()
  await cluster.primary.kill()
  await standby.promote()
  const [control] = await standby.admin`select timeline_id from pg_control_checkpoint()`
  expect(control).toEqual({ timeline_id: 1 })
  link.repoint(postgresAt(standby.socket_dir))
}

test('P11: a service that starts right after a promotion begins a new generation, once', async () => {
  await (await startInstance()).stop()
  expect(await generation()).toBe(1)
  await promoteNow()
  for (let start = 0; start < 2; start++) {
    const service = await startInstance()
    expect(await generation()).toBe(2)
    await service.stop()
  }
})

test('an upgrade is not lost history, unless it follows a promotion', async () => {
  await (await startInstance()).stop()
  // The state that the previous release leaves.
  await sql`alter table database_generation drop column database_oid`
  await sql`drop function in_history, database_identity, read_backend`
  await sql`delete from migrations where name like '020%'`
  await migrate(sql)
  await (await startInstance()).stop()
  expect(await generation()).toBe(1)
  await promoteNow()
  await (await startInstance()).stop()
  expect(await generation()).toBe(2)
})

test('a service does not start on a standby, and a running one declines writes until the promotion', async () => {
  const service = await startInstance()
  const scene = await buildScene(service)
  const standby = await cluster.startStandby(cluster.primary.socket_dir)
  await standby.caughtUp()
  link.repoint(postgresAt(standby.socket_dir))
  await expect(startInstance()).rejects.toThrow(
    'DATABASE_URL names a standby, which takes no writes: name the primary, or promote it',
  )
  const cards = `/channels/${scene.channel_id}/cards`
  const post = () => scene.account.key('POST', cards, { blocks: [{ type: 'divider', id: 'd' }] })
  const reads = async () => (await scene.account.key('GET', cards)).status === 200
  await until(reads, 'reading continues on the standby')
  expect((await post()).status).toBe(503)
  await standby.promote()
  await until(async () => (await post()).status === 201, 'writing continues')
  await until(async () => (await lossesOf(service)) === 1, 'the service notices the lost history')
})

// An instance of the service, as far as channels are concerned: its feeds, on a bus, statements and timers that the
// scheduler controls.
import { pino } from 'pino'
import type { Bus, BusNotice, GrownNotice } from '../../../server/bus/bus.ts'
import type { DecisionRecord } from '../../../server/decisions/rows.ts'
import { Feeds } from '../../../server/feed/feeds.ts'
import { CommitLoop } from '../../../server/feed/log/commit.ts'
import { History } from '../../../server/feed/log/history.ts'
import { Snapshots } from '../../../server/feed/log/snapshots.ts'
import type { CommitResult, Turn } from '../../../server/feed/log/turn.ts'
import { DailyQuota } from '../../../server/feed/turn/quota.ts'
import { instanceAt, never, type Scene } from './scene.ts'
import { scheduledSql, type TurnUnderWay } from './statements.ts'
import { runAs, type TimerOwner } from './timers.ts'

const COPIES = { lost: 0, once: 1, twice: 2 }
const BEGAN = Date.parse('2026-01-31T12:00:00.000Z')

export class Instance implements TimerOwner {
  readonly scene: Scene
  readonly name: string
  readonly feeds: Feeds
  /** The turn whose commit is under way. */
  turn: TurnUnderWay | null = null
  alive = true
  /** Whether what it sent before its crash still arrives. */
  sent = true
  /** Whether its bus believes that notices arrive, and whether they do. */
  connected = true
  hears = true
  #watches = false
  #crashed = () => {}
  /** Resolves when it crashes. */
  readonly gone = new Promise<null>(resolve => {
    this.#crashed = () => resolve(null)
  })
  readonly #periodic: (() => void)[] = []

  constructor(scene: Scene, name: string) {
    this.scene = scene
    this.name = name
    const { database, plan } = scene
    const sql = scheduledSql(this, 'read')
    const log = pino(
      { level: 'error' },
      { write: line => void scene.findings.push({ promise: 'P14', message: line }) },
    )
    const hold = async () => {}
    const on_lost = () => this.feeds.historyLost()
    this.feeds = this.run(() => {
      const deps = {
        sql,
        commits: new NamedCommits(this),
        quota: new DailyQuota(sql, { cards: null, bytes: null }),
        snapshots: new Snapshots(database.target, log),
        log,
        history: new History({ sql, log, hold, on_lost }, database.history),
        // Each turn has a time of its own.
        now: () => BEGAN + scene.tick(),
        elapsed: () => this.elapsed(),
        followed: () => {},
        on_growth: () => {},
        endQuestion: () => Promise.reject(new Error('no question has a deadline')),
        public_url: 'http://localhost',
        sign: (record: DecisionRecord) => record,
        memory_max_bytes: plan.forgetful ? 0 : undefined,
      }
      return new Feeds(deps, this.#bus())
    })
  }

  run<T>(work: () => T): T {
    return runAs(this, work)
  }

  /** What follows never happens if the instance has crashed. */
  async point(what: string): Promise<void> {
    await this.scene.steps.point(`${this.name} ${what}`)
    if (!this.alive) await never()
  }

  later(what: string, ms: number, work: () => void): void {
    const { scene } = this
    const due = scene.elapsed + ms
    void this.point(what).then(() => {
      scene.elapsed = Math.max(scene.elapsed, due)
      this.run(work)
    })
  }

  repeat(work: () => void): void {
    this.#periodic.push(work)
  }

  elapsed(): number {
    return this.scene.elapsed
  }

  doPeriodicWork(): void {
    for (const work of this.#periodic) this.run(work)
  }

  crash(sent: boolean): void {
    this.alive = false
    this.sent = sent
    this.#crashed()
  }

  deafen(noticed: boolean): void {
    this.hears = false
    this.connected = !noticed
  }

  hearAgain(): void {
    if (this.hears) return
    this.hears = true
    this.connected = true
    this.#catchUp()
  }

  receive(notice: GrownNotice): void {
    if (this.alive && this.hears && this.#watches) this.run(() => this.feeds.receive(notice))
  }

  #bus(): Bus {
    const isConnected = () => this.connected
    return {
      publish: notice => this.#publish(notice),
      watch: channel_id => {
        void this.point('subscribes').then(() => {
          this.#watches = true
          this.#catchUp([channel_id])
        })
        return () => {
          this.#watches = false
        }
      },
      get connected() {
        return isConnected()
      },
      stop: async () => {},
    }
  }

  #catchUp(channel_ids?: string[]): void {
    this.run(() => this.feeds.catchUp(channel_ids).catch(() => {}))
  }

  #publish(notice: BusNotice): void {
    if (notice.kind !== 'grown') return
    const { instances, plan, faults, felt } = this.scene
    const { turn, ...rest } = notice
    const sent = plan.notices_have_turns && turn ? { ...rest, turn } : rest
    for (const to of instances.keys()) {
      if (instances[to] === this) continue
      const fault = faults.notice()
      if (fault) felt.push(`notice: ${fault}`)
      for (let copies = COPIES[fault ?? 'once']; copies > 0; copies--) void this.#deliver(sent, to)
    }
  }

  async #deliver(notice: GrownNotice, to: number): Promise<void> {
    const { scene } = this
    await scene.steps.point(`notice ${notice.seq} of ${this.name} to ${instanceAt(scene, to).name}`)
    if (this.alive || this.sent) instanceAt(scene, to).receive(notice)
  }
}

/** Tells the instance's statements which turn they commit. */
class NamedCommits extends CommitLoop {
  readonly #instance: Instance

  constructor(instance: Instance) {
    super(scheduledSql(instance, 'commit'), { cards: null, bytes: null }, result =>
      instance.scene.felt.push(`turn: ${result}`),
    )
    this.#instance = instance
  }

  override commit(turn: Turn, wait_ms?: number): Promise<CommitResult> {
    this.#instance.turn = turn
    return super.commit(turn, wait_ms)
  }

  override commitAlone<T extends { turn: Turn | null }>(channel_id: string, make: () => Promise<T | null>) {
    return super.commitAlone(channel_id, async () => {
      // The transaction runs outside, with the driver's timers; what the instance does in it keeps its own.
      const made = await this.#instance.run(make)
      this.#instance.turn = made?.turn ?? null
      return made
    })
  }
}

// The service on a database: its parts, started in order and stopped in the opposite order.
import type { Logger } from 'pino'
import { CLOSE_GOING_AWAY, CLOSE_RESTART } from '../shared/close-codes.ts'
import { createApp } from './app.ts'
import { followAccessChanges } from './bus/access-changes.ts'
import { DecisionAbandonment } from './decisions/abandonment.ts'
import { DecisionExpiry } from './decisions/expiry.ts'
import { keepSigningKey } from './decisions/signing-keys.ts'
import { createDispatcher, type Dispatcher } from './dispatcher.ts'
import { drain } from './drain.ts'
import { closeInWaves } from './feed/viewers/close-in-waves.ts'
import { endExpiredClaims } from './model/delivery-recovery.ts'
import { createEndQuestion } from './model/end-question.ts'
import { type Add, createAuth, type ServiceOptions, startBase, startChannels, startSockets } from './parts.ts'
import { startPeriodicWork } from './periodic-work.ts'
import { channelOfQuery } from './routes/hook-query.ts'
import { ownChannel } from './routes/own-channel.ts'
import { WebhookSender } from './webhooks/webhook-sender.ts'

export type Service = Awaited<ReturnType<typeof startAll>> & {
  /** Finishes what is in flight, closes all sockets and disconnects from the database. */
  stop(): Promise<void>
}

type Part = Parameters<Add>[0]

export async function startService(options: ServiceOptions): Promise<Service> {
  const parts: Part[] = []
  const stop = () => stopAll(parts, options.log)
  try {
    const service = await startAll(options, part => {
      parts.push(part)
      return part
    })
    return { ...service, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function stopAll(parts: Part[], log: Logger): Promise<void> {
  for (const part of parts.splice(0).reverse()) {
    try {
      await part.stop()
    } catch (error) {
      log.warn({ err: error }, 'could not stop a part of the service')
    }
  }
}

async function startAll(options: ServiceOptions, add: Add) {
  // The bus starts before the parts that its notices concern. Until those exist, notices are dropped.
  let dispatcher: Dispatcher | null = null
  const base = await startBase(options, add, {
    receive: notice => dispatcher?.receive(notice),
    gap: connected => dispatcher?.noticesMissed(connected),
    watching: channel_ids => dispatcher?.watching(channel_ids),
    historyLost: () => dispatcher?.historyLost(),
  })
  const { sql, config, history, http, bus, log } = base
  await keepSigningKey(base)
  const channels = startChannels(base, add, (question, how) => endQuestion(question, how))
  const { feeds, workspaces, streams, waits, calls, quota } = channels
  const auth = createAuth(base)
  const { webhook_private_networks: private_networks } = config
  const head_timeout_ms = options.webhook_timeout_ms
  const ended = (channel_id: string) => dispatcher?.publish({ kind: 'interacted', channel_id })
  const webhooks = add(
    new WebhookSender({ sql, history, public_url: http.url, private_networks, head_timeout_ms, log, ended }),
  )
  const upgrades = add(startSockets(base, channels, auth.identify))

  dispatcher = createDispatcher({ ...base, ...channels, ...auth, upgrades })
  dispatcher.noticesMissed(bus.connected)
  const { receive, publish, accessChangesMissed } = dispatcher
  add(await followAccessChanges({ sql, changed: receive, gap: accessChangesMissed, log }))

  const logged = (channel_id: string) => {
    webhooks.wake()
    publish({ kind: 'interacted', channel_id })
  }
  const endQuestion = createEndQuestion({ feeds, logged })
  const expiry = new DecisionExpiry({ sql, log, now: base.now, endQuestion })
  const abandonment = new DecisionAbandonment({ sql, log, looks: channels.looks, endQuestion })
  const { register } = channels
  const own = ownChannel(register, auth.roles)
  const ownByQuery = ownChannel(register, auth.roles, channelOfQuery(sql))
  const app = createApp({
    ...base,
    ...channels,
    ...auth,
    own,
    ownByQuery,
    public_url: http.url,
    webhooks,
    expiry,
    endQuestion,
    publish,
  })
  add({
    async stop() {
      streams.stop()
      calls.stop()
      waits.stop()
      upgrades.stop()
      const served = Promise.all([http.stop(), webhooks.stop()])
      await feeds.settle()
      const closed = closeInWaves([...feeds.viewers, ...workspaces.viewers], CLOSE_GOING_AWAY, 'server stops')
      await Promise.all([closed, feeds.takeLastSnapshots(), served])
      await auth.key_ring.flush()
    },
  })
  add(startPeriodicWork({ ...base, ...channels, ...auth, expiry, abandonment, endQuestion }))

  if (options.alone) await endExpiredClaims(sql, 0)
  expiry.sweep().catch(error => log.debug({ err: error }, 'could not close overdue questions yet'))
  webhooks.wake()
  http.serve(app, upgrades.upgrade)
  return {
    url: http.url,
    sql,
    feeds,
    history,
    quota,
    waits,
    calls,
    looks: channels.looks,
    abandonment,
    routes: app.routes,
    /** Takes `ms`, or until `early` aborts. Requests are still served; sockets and streams leave. `stop` comes next. */
    async drain(ms: number, early: AbortSignal): Promise<void> {
      http.drain()
      const viewers = [...feeds.viewers, ...workspaces.viewers]
      const leave = viewers.map(viewer => () => viewer.close(CLOSE_RESTART, 'server restarts'))
      const repeated = waits.open.filter(({ recipient }) => recipient.repeats)
      const answer = repeated.map(wait => () => waits.end([wait]))
      await drain([...leave, ...answer, ...[...streams.open, ...calls.open].map(({ end }) => end)], ms, early)
    },
  }
}

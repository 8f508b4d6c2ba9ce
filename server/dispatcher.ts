// The one place that knows which parts of an instance a notice concerns, whether it comes from the bus, from the database
// or from this instance.
import type { Notice } from './bus/bus.ts'
import type { Auth, Base, Channels } from './parts.ts'
import type { Upgrades } from './routes/upgrades.ts'

type Parts = Base & Channels & Auth & { upgrades: Upgrades }

export type Dispatcher = ReturnType<typeof createDispatcher>

export function createDispatcher(parts: Parts) {
  const { sql, log, bus, history, key_ring, register, quota, feeds, workspaces, streams, upgrades } = parts
  const receive = (notice: Notice) => dispatch(parts, notice)

  function catchUp(channel_ids?: string[]): void {
    feeds.catchUp(channel_ids).catch(error => log.debug({ err: error }, 'could not catch up with the log'))
  }

  /** Access changes may have been missed: checks everything that is open. */
  function checkAll(): void {
    workspaces.catchUp()
    upgrades.checkWhere(() => true)
    streams.endOrphans(sql).catch(error => log.debug({ err: error }, 'could not check event streams'))
  }

  return {
    receive,

    /** Publishes what happened here, to this instance and the others. Feeds publish growth themselves. */
    publish(notice: Exclude<Notice, { kind: 'grown' }>): void {
      receive(notice)
      bus.publish(notice)
    },

    /** The bus may have lost notices. */
    noticesMissed(connected: boolean): void {
      key_ring.busConnected(connected)
      register.forgetAll()
      history
        .check()
        .catch(error => log.debug({ err: error }, 'could not check the database’s history'))
        .then(() => catchUp())
      if (connected) checkAll()
    },

    /** Notices of these channels arrive from now on; earlier ones may have been missed. */
    watching(channel_ids: string[]): void {
      catchUp(channel_ids)
      for (const id of channel_ids) workspaces.channelGrew(id)
    },

    /** Access changes may have been lost in the database. */
    accessChangesMissed(): void {
      key_ring.forgetAll()
      register.forgetAll()
      catchUp()
      checkAll()
    },

    /** The database may lack anything that this instance remembers. */
    historyLost(): void {
      quota.forgetAll()
      key_ring.forgetAll()
      register.forgetAll()
      feeds.historyLost()
      checkAll()
    },
  }
}

/** What a notice means for each part. */
function dispatch(parts: Parts, notice: Notice): void {
  const { key_ring, register, feeds, workspaces, streams, upgrades } = parts
  switch (notice.kind) {
    case 'grown':
      feeds.receive(notice)
      return workspaces.channelGrew(notice.channel_id)
    case 'interacted':
      return streams.interacted(notice.channel_id)
    case 'workspace_touched':
      return workspaces.pageChanged(notice.workspace_id)
    case 'key_ended': {
      const { key_id } = notice
      key_ring.forget(key_id)
      streams.endWhere(({ key }) => key?.id === key_id)
      return upgrades.checkWhere(({ identity }) => identity.kind === 'key' && identity.key_id === key_id)
    }
    case 'session_ended': {
      const { session_id } = notice
      return upgrades.checkWhere(
        ({ identity }) => identity.kind === 'session' && identity.session_id === session_id,
      )
    }
    case 'workspace_changed': {
      const { workspace_id } = notice
      workspaces.pageChanged(workspace_id)
      return upgrades.checkWhere(({ target }) => target.access.workspace_id === workspace_id)
    }
    case 'workspace_deleted': {
      const { workspace_id } = notice
      key_ring.forgetWorkspace(workspace_id)
      streams.endWhere(({ key }) => key?.workspace_id === workspace_id)
      // Keys of the workspace end with it, and may have opened public channels of other workspaces.
      return upgrades.checkWhere(
        ({ target, identity }) =>
          target.access.workspace_id === workspace_id ||
          (identity.kind === 'key' && identity.workspace_id === workspace_id),
      )
    }
    case 'channel_deleted': {
      const { channel_id } = notice
      register.forget(channel_id)
      feeds.channelDeleted(channel_id)
      workspaces.channelDeleted(channel_id)
      streams.endWhere(stream => stream.channel_id === channel_id)
      // The feed has closed the channel's viewers. Only sockets that are being opened are checked again.
      return upgrades.checkWhere(() => false)
    }
    default:
      return unknownNotice(notice)
  }
}

function unknownNotice(notice: never): never {
  throw new Error(`unknown notice ${JSON.stringify(notice)}`)
}

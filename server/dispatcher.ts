// Passes a notice to the parts of this instance that it concerns. Notices come from the bus, the database or this instance.
import { userOf } from './auth/access.ts'
import type { BusNotice } from './bus/bus.ts'
import { unauthorized } from './errors.ts'
import type { Auth, Base, Channels } from './parts.ts'
import type { Upgrades } from './routes/upgrades.ts'

type Parts = Base & Channels & Auth & { upgrades: Upgrades }

export type Dispatcher = ReturnType<typeof createDispatcher>

export function createDispatcher(parts: Parts) {
  const { log, bus, history, key_ring, roles, register, quota, feeds, looks, workspaces, upgrades } = parts
  const receive = (notice: BusNotice) => dispatch(parts, notice)

  function catchUp(channel_ids?: string[]): void {
    feeds.catchUp(channel_ids).catch(error => log.debug({ err: error }, 'could not catch up with the log'))
  }

  function checkAll(): void {
    workspaces.catchUp()
    upgrades.accessChanged(() => true)
    checkOpenRequests(parts, () => true)
  }

  return {
    receive,

    /** Sends a notice to this instance and the others. Feeds publish growth themselves. */
    publish(notice: Exclude<BusNotice, { kind: 'grown' }>): void {
      receive(notice)
      bus.publish(notice)
    },

    noticesMissed(connected: boolean): void {
      key_ring.busConnected(connected)
      roles.busConnected(connected)
      register.forgetAll()
      history
        .check()
        .catch(error => log.debug({ err: error }, 'could not check the database’s history'))
        .then(() => catchUp())
      if (connected) checkAll()
    },

    /** Notices of these channels arrive from now on; earlier ones may be lost. */
    watching(channel_ids: string[]): void {
      catchUp(channel_ids)
      for (const id of channel_ids) workspaces.channelGrew(id)
    },

    accessChangesMissed(): void {
      key_ring.forgetAll()
      roles.forgetAll()
      register.forgetAll()
      catchUp()
      checkAll()
    },

    /** The database may lack commits that this instance remembers. */
    historyLost(): void {
      quota.forgetAll()
      key_ring.forgetAll()
      roles.forgetAll()
      register.forgetAll()
      looks.historyLost()
      feeds.historyLost()
      checkAll()
    },
  }
}

/** Event streams and waiting requests of these users. If the database doesn't answer, periodic work tries again. */
function checkOpenRequests({ log, streams, waits }: Parts, applies: (user_id: string) => boolean): void {
  const failed = (error: unknown) => log.debug({ err: error }, 'could not check open requests')
  streams.endOrphans(streams.open.filter(({ user_id }) => applies(user_id))).catch(failed)
  waits.checkWhere(({ caller }) => applies(caller.user_id)).catch(failed)
}

function dispatch(parts: Parts, notice: BusNotice): void {
  const { key_ring, roles, register, feeds, workspaces, streams, waits, calls, upgrades } = parts
  switch (notice.kind) {
    case 'grown':
      feeds.receive(notice)
      return workspaces.channelGrew(notice.channel_id)
    case 'interacted':
      workspaces.channelGrew(notice.channel_id)
      return streams.interacted(notice.channel_id)
    case 'workspace_touched':
      return workspaces.pageChanged(notice.workspace_id)
    case 'key_ended':
      key_ring.forget(notice.key_id)
      streams.endWhere(({ key }) => key?.id === notice.key_id)
      waits.refuseWhere(({ caller }) => caller.key?.id === notice.key_id, unauthorized)
      calls.endWhere(({ id }) => id === notice.key_id)
      return upgrades.accessChanged(
        ({ identity }) => identity.kind === 'key' && identity.key_id === notice.key_id,
      )
    case 'session_ended':
      waits.refuseWhere(({ caller }) => caller.session_id === notice.session_id, unauthorized)
      return upgrades.accessChanged(
        ({ identity }) => identity.kind === 'session' && identity.session_id === notice.session_id,
      )
    case 'member_changed': {
      const { workspace_id, user_id } = notice
      roles.forget(workspace_id, user_id)
      checkOpenRequests(parts, of => of === user_id)
      return upgrades.accessChanged(
        ({ target, identity }) => target.access.workspace_id === workspace_id && userOf(identity) === user_id,
      )
    }
    case 'workspace_changed':
      // It may have another owner.
      register.forgetWorkspace(notice.workspace_id)
      roles.forgetWorkspace(notice.workspace_id)
      workspaces.pageChanged(notice.workspace_id)
      return upgrades.accessChanged(({ target }) => target.access.workspace_id === notice.workspace_id)
    case 'workspace_deleted': {
      const { workspace_id } = notice
      key_ring.forgetWorkspace(workspace_id)
      streams.endWhere(({ key }) => key?.workspace_id === workspace_id)
      waits.refuseWhere(({ caller }) => caller.key?.workspace_id === workspace_id, unauthorized)
      calls.endWhere(key => key.workspace_id === workspace_id)
      // Keys of the workspace end with it, and may have opened public channels of other workspaces.
      return upgrades.accessChanged(
        ({ target, identity }) =>
          target.access.workspace_id === workspace_id ||
          (identity.kind === 'key' && identity.workspace_id === workspace_id),
      )
    }
    case 'channel_deleted':
      register.forget(notice.channel_id)
      feeds.channelDeleted(notice.channel_id)
      workspaces.channelDeleted(notice.channel_id)
      streams.endWhere(({ channel_id }) => channel_id === notice.channel_id)
      // The feed has ended the channel's viewers and waiting requests. Only sockets that are being opened are checked again.
      return upgrades.accessChanged(() => false)
    default:
      throw new Error(`unknown notice ${JSON.stringify(notice satisfies never)}`)
  }
}

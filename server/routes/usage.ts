// How much of the limits a user has used, and what happened on the last days.
import { USAGE_DAYS_DEFAULT, USAGE_DAYS_MAX } from '../../shared/limits.ts'
import { normalUuid } from '../../shared/text.ts'
import type { Usage, UsageHistory } from '../../shared/usage.ts'
import { readBusyChannels, readBytes, readHistory } from '../model/activity.ts'
import { countWorkspaces, requireWorkspace } from '../model/workspaces.ts'
import { utcDay } from '../rate-limit.ts'
import type { RouteDeps, Routes } from './deps.ts'
import { readCount } from './request.ts'

export function addUsageRoutes(routes: Routes, { sql, caller, config, now }: RouteDeps) {
  routes.get('/usage', caller, async c => {
    const at = now()
    const user_id = c.get('user_id')
    const id = c.req.query('workspace_id')
    // What is created in a workspace counts against its owner's limits.
    const owner_id =
      id === undefined ? user_id : (await requireWorkspace(sql, user_id, normalUuid(id), 'editor')).user_id
    const [today] = await readHistory(sql, owner_id, 1, at)
    const bytes = await readBytes(sql, owner_id, at)
    const workspaces = await countWorkspaces(sql, user_id)
    return c.json<Usage>({
      cards: { used: today?.cards ?? 0, limit: config.daily_card_limit },
      channels: { used: today?.channels ?? 0, limit: config.daily_channel_limit },
      bytes: { used: bytes, limit: config.daily_byte_limit },
      workspaces: { used: workspaces, limit: config.workspace_limit },
      resets_at: new Date(Date.parse(utcDay(at)) + 86_400_000).toISOString(),
    })
  })

  routes.get('/usage/history', caller, async c => {
    const days = readCount(c, 'days', USAGE_DAYS_DEFAULT, USAGE_DAYS_MAX)
    const [user_id, at] = [c.get('user_id'), now()]
    const [history, channels] = await Promise.all([
      readHistory(sql, user_id, days, at),
      readBusyChannels(sql, user_id, days, at),
    ])
    return c.json<UsageHistory>({ days: history, channels })
  })
}

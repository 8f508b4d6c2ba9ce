// The address of a hook: which channel asks, how long it waits, and who may decide.
import { HOOK_WAIT_MAX_S, HOOK_WAIT_MIN_S, LISTED_MAX } from '../../shared/limits.ts'
import { normalUuid } from '../../shared/text.ts'
import type { Sql } from '../database/connect.ts'
import { invalid, notFound, unauthorized } from '../errors.ts'
import type { HookOptions } from '../hooks/hook.ts'
import { findOnlyChannel } from '../model/channels.ts'
import { readEmail } from '../model/users.ts'
import type { AppContext } from './deps.ts'
import { checkText } from './request.ts'

/** Without a channel, the key's only one. */
export const channelOfQuery =
  (sql: Sql) =>
  async (c: AppContext): Promise<string> => {
    const given = c.req.query('channel')
    if (given !== undefined) {
      const id = normalUuid(given)
      if (id === null) throw notFound('Channel')
      return id
    }
    const key = c.get('key')
    if (!key) throw unauthorized()
    const { count, id } = await findOnlyChannel(sql, key)
    if (id === null)
      throw invalid('channel', `is required: the key reaches ${count} channels`, 'field_required')
    return id
  }

/** `wait_s`: if the address names none. */
export async function readHookOptions(c: AppContext, sql: Sql, wait_s: number): Promise<HookOptions> {
  const options = { wait_s: readSeconds(c, wait_s), remember: readRemember(c) }
  return { ...options, who: await readWho(c, sql) }
}

function readSeconds(c: AppContext, by_default: number): number {
  const given = c.req.query('wait')
  if (given === undefined) return by_default
  const seconds = /^\d{1,9}$/.test(given) ? Number(given) : 0
  if (seconds < HOOK_WAIT_MIN_S || seconds > HOOK_WAIT_MAX_S)
    throw invalid('wait', `must be a whole number from ${HOOK_WAIT_MIN_S} to ${HOOK_WAIT_MAX_S}`)
  return seconds
}

function readRemember(c: AppContext): boolean {
  const given = c.req.query('remember') ?? 'off'
  if (given !== 'on' && given !== 'off') throw invalid('remember', 'must be one of on, off')
  return given === 'on'
}

/** By default only the key's own person, so that nobody else is asked to run something on that machine. */
async function readWho(c: AppContext, sql: Sql): Promise<HookOptions['who']> {
  const given = c.req.query('who') ?? 'me'
  if (given === 'members' || given === 'owner') return given
  if (given === 'me') {
    const email = await readEmail(sql, c.get('user_id'))
    if (email === null) throw unauthorized()
    return [email]
  }
  checkText('who', given)
  const addresses = given.split(',').map(address => address.trim().toLowerCase())
  if (addresses.length > LISTED_MAX || !addresses.every(address => address.includes('@')))
    throw invalid('who', `must be me, members, owner or 1 to ${LISTED_MAX} e-mail addresses`)
  return addresses
}

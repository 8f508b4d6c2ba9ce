// The cookie of a viewer who unlocked a workspace with its password. It names the workspace's access_version, so a new
// password or visibility makes it invalid.
import { cookiesIn, sign, unsign } from './tokens.ts'

const LIFETIME_S = 30 * 24 * 3_600
const PURPOSE = 'unlock'
const PREFIX = 'unlock_'

export function unlockCookie(
  secret: string,
  workspace_id: string,
  access_version: number,
  options: { secure: boolean; now: number },
): string {
  const value = sign(secret, PURPOSE, `${workspace_id}.${access_version}.${options.now + LIFETIME_S * 1000}`)
  const secure = options.secure ? '; Secure' : ''
  const name = PREFIX + workspace_id.replaceAll('-', '')
  return `${name}=${value}; Max-Age=${LIFETIME_S}; Path=/; HttpOnly; SameSite=Lax${secure}`
}

/** Set-Cookie headers that remove the unlocks in a Cookie header from the browser. */
export function clearedUnlocks(cookies: string | undefined, secure: boolean): string[] {
  const names = new Set(cookiesIn(cookies).map(({ name }) => name))
  return [...names]
    .filter(name => /^unlock_[0-9a-f]{32}$/.test(name))
    .map(name => `${name}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`)
}

/** The unlocks in a Cookie header: workspace id → access_version. */
export function readUnlocks(cookies: string | undefined, secret: string, now: number): Map<string, number> {
  const unlocked = new Map<string, number>()
  for (const { name, value } of cookiesIn(cookies)) {
    if (!name.startsWith(PREFIX)) continue
    const [workspace_id = '', access_version = '', until = ''] =
      unsign(secret, PURPOSE, value)?.split('.') ?? []
    if (Number(until) > now) unlocked.set(workspace_id, Number(access_version))
  }
  return unlocked
}

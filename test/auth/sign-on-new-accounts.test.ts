// Which accounts a single sign-on may create, with and without an invite.
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { sha256 } from '../../server/auth/tokens.ts'
import { failed, notFound } from '../support/errors.ts'
import { type Person, runIdentityProvider } from '../support/identity-provider.ts'
import type { TestService } from '../support/service.ts'
import { openSignOnBrowser, runSignOnService } from '../support/sign-on.ts'

const provider = await runIdentityProvider()
const service = await runSignOnService(provider.env)

const open = (at: { url: string } = service) => openSignOnBrowser(at)
const newEmail = () => `${randomUUID()}@example.com`

/** Somebody new at the provider, who signs in there from now on. */
function newPerson(claims: Partial<Person> = {}): void {
  provider.signsIn({ sub: randomUUID(), email: newEmail(), email_verified: true, ...claims })
}

const countUsers = async ({ sql }: TestService) => (await sql`select from users`).length

describe('new accounts', () => {
  const REFUSED = '/sign-in?error=oidc_sign_up'

  /** Creates an invite to a workspace of somebody's. Returns its token. */
  async function invite(
    at: TestService,
    fields: { email?: string; uses_left?: number; expired?: boolean } = {},
  ) {
    const { email = null, uses_left = 1, expired = false } = fields
    const token = randomBytes(32).toString('base64url')
    const [owner, workspace] = [randomUUID(), randomUUID()]
    await at.sql`insert into users (id, email, name) values (${owner}, ${newEmail()}, 'Owner')`
    await at.sql`
      insert into workspaces (id, user_id, name, slug, icon) values (${workspace}, ${owner}, 'Team', ${workspace}, '🏢')`
    await at.sql`
      insert into workspace_invites (id, workspace_id, token_hash, role, email, uses_left, created_by, expires_at)
      values (${randomUUID()}, ${workspace}, ${sha256(token)}, 'viewer', ${email}, ${uses_left}, ${owner},
        now() + ${expired ? '-1 s' : '1 day'}::text::interval)`
    return token
  }

  test.each<[Record<string, string>, string, string]>([
    [{}, '/', '/'],
    [{ SIGNUPS: 'invite' }, REFUSED, '/'],
    [{ SIGNUPS: 'closed' }, REFUSED, '/'],
    [{ OIDC_SIGNUPS: 'off' }, REFUSED, '/'],
    [{ SIGNUPS: 'closed', OIDC_SIGNUPS: 'off' }, REFUSED, '/'],
  ])('with %j a new person gets to %s, and with an invite to %s', async (env, without, invited) => {
    const at = await runSignOnService({ ...provider.env, ...env })
    // The first account needs nothing.
    newPerson()
    expect(await open(at).signOn()).toBe('/')
    newPerson()
    expect(await open(at).signOn()).toBe(without)
    const token = await invite(at)
    newPerson()
    expect(await open(at).signOn({ invite: token })).toBe(invited)
    // The page of the invite uses it, not the sign-on.
    expect(await at.sql`select uses_left from workspace_invites`).toEqual([{ uses_left: 1 }])
  })

  test('of people who are the first at the same time, one gets an account while sign-ups are closed', async () => {
    const at = await runSignOnService({ ...provider.env, SIGNUPS: 'closed' })
    const browsers = [open(at), open(at), open(at)]
    const backs: string[] = []
    for (const one of browsers) {
      newPerson()
      backs.push(await one.comeBack(await one.begin()))
    }
    const paths = await Promise.all(browsers.map((one, i) => one.get(backs[i] ?? '')))
    expect(paths.map(({ location }) => location).sort()).toEqual(['/', REFUSED, REFUSED])
    expect(await countUsers(at)).toBe(1)
  })

  test('an invite for another address allows no new account', async () => {
    const at = await runSignOnService({ ...provider.env, SIGNUPS: 'invite' })
    const email = newEmail()
    const token = await invite(at, { email })
    newPerson()
    expect(await open(at).signOn({ invite: token })).toBe(REFUSED)
    newPerson({ email })
    expect(await open(at).signOn({ invite: token })).toBe('/')
  })

  test('an invite that ends on the way allows no new account', async () => {
    const at = await runSignOnService({ ...provider.env, SIGNUPS: 'invite' })
    const token = await invite(at)
    newPerson()
    const browser = open(at)
    const back = await browser.comeBack(await browser.begin({ invite: token }))
    await at.sql`update workspace_invites set uses_left = 0`
    expect((await browser.get(back)).location).toBe(REFUSED)
  })

  test('an unknown, expired or used invite returns 404, and after ten of them in a minute 429', async () => {
    const browser = open()
    const start = (invite: string) => browser.send('POST', '/auth/oidc/start', { invite })
    const void_tokens = [await invite(service, { expired: true }), await invite(service, { uses_left: 0 })]
    for (const token of [...void_tokens, 'x', ...Array.from({ length: 7 }, () => randomUUID())])
      expect(await start(token)).toMatchObject(notFound('Invite'))
    const valid = await invite(service)
    expect(await start(valid)).toMatchObject(failed(429, 'Too many failed attempts'))
    expect((await open().send('POST', '/auth/oidc/start', { invite: valid })).status).toBe(200)
  })
})

// Single sign-on with a real provider: the way there and back.
import { describe, expect, test } from 'vitest'
import { invalid, notFound, wrong } from '../support/errors.ts'
import { runIdentityProvider } from '../support/identity-provider.ts'
import { callTo } from '../support/service.ts'
import { openSignOnBrowser, runSignOnService } from '../support/sign-on.ts'

const COOKIE = '__Host-oidc'

const provider = await runIdentityProvider()
const service = await runSignOnService(provider.env)
const other = await runSignOnService(provider.env, service)

let people = 0

/** Somebody new at the provider, who signs in there from now on. */
function newPerson() {
  const sub = `person ${++people}`
  const person = { sub, email: `person${people}@example.com`, email_verified: true, name: `Person ${people}` }
  provider.signsIn(person)
  return person
}

const open = () => openSignOnBrowser(service)

const sessions = async () => (await service.sql`select from sessions`).length

describe('the way there and back', () => {
  test('a new person gets an account without a password, is signed in and returns to the page', async () => {
    const { email, name } = newPerson()
    const browser = open()
    expect(await browser.signOn({ return_to: '/c/1?card=2#now' })).toBe('/c/1?card=2#now')
    expect(await browser.user()).toMatchObject({ email, name })
    const [row] = await service.sql`select password_hash from users where email = ${email}`
    expect(row).toEqual({ password_hash: null })
  })

  test('a known person is signed in to the same account, whatever the e-mail address and the name are now', async () => {
    const { sub } = newPerson()
    const first = open()
    await first.signOn()
    provider.signsIn({ sub, email: 'changed@example.com', email_verified: false })
    const second = open()
    expect(await second.signOn()).toBe('/')
    expect(await second.user()).toEqual(await first.user())
  })

  test('one person who signs in twice at the same time gets one account', async () => {
    newPerson()
    const browsers = [open(), open(), open()]
    const backs = await Promise.all(browsers.map(async one => one.comeBack(await one.begin())))
    const paths = await Promise.all(browsers.map((one, i) => one.get(backs[i] ?? '')))
    expect(paths.map(({ location }) => location)).toEqual(['/', '/', '/'])
    const users = await Promise.all(browsers.map(one => one.user()))
    expect(new Set(users.map(user => user?.id)).size).toBe(1)
  })

  test('the request to the provider has PKCE, state and nonce', async () => {
    const url = new URL(await open().begin())
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: 'channel-feed',
      response_type: 'code',
      redirect_uri: 'https://feed.example/api/auth/oidc/callback',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    })
  })

  test('the cookie is signed, for this host only and for ten minutes; the callback deletes it', async () => {
    newPerson()
    const browser = open()
    const { headers } = await browser.send('POST', '/auth/oidc/start', {})
    const attributes = 'Max-Age=600; Path=/; HttpOnly; SameSite=Lax; Secure'
    expect(headers.getSetCookie()).toEqual([
      expect.stringMatching(new RegExp(`^${COOKIE}=[\\w-]+\\.[\\w-]{43}; ${attributes}$`)),
    ])
    const done = await browser.get(await browser.comeBack(await browser.begin()))
    expect(done.status).toBe(302)
    expect(done.headers.getSetCookie()).toEqual([
      `${COOKIE}=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax; Secure`,
      expect.stringMatching(/^__Host-session=/),
    ])
    expect(browser.cookie(COOKIE)).toBeUndefined()
  })

  test('another instance takes the callback', async () => {
    newPerson()
    const browser = open()
    const back = await browser.comeBack(await browser.begin())
    expect((await browser.get(back, other)).location).toBe('/')
    expect(await browser.user()).not.toBeNull()
  })

  test('signing in ends the session that the browser had', async () => {
    newPerson()
    const browser = open()
    await browser.signOn()
    const before = await sessions()
    newPerson()
    await browser.signOn()
    expect(await sessions()).toBe(before)
  })

  test('signing out ends our session', async () => {
    newPerson()
    const browser = open()
    await browser.signOn()
    expect((await browser.send('POST', '/auth/sign-out', {})).status).toBe(200)
    expect(await browser.user()).toBeNull()
  })
})

describe('return_to', () => {
  test.each(
    wrong(
      'return_to',
      'must be a path',
      '',
      'c/1',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/c/..//evil.example',
      '///evil.example',
      'https://evil.example/',
      'https:/evil.example',
      'javascript:alert(1)',
      ' /c/1',
    ),
  )('%j returns 400: %s', async (body, error) => {
    expect(await open().send('POST', '/auth/oidc/start', body)).toMatchObject(invalid(error))
  })

  test.each([
    [undefined, '/'],
    ['/', '/'],
    ['/w/a?b=//evil.example', '/w/a?b=//evil.example'],
    ['/c/ä b', '/c/%C3%A4%20b'],
    ['/c/1\r\nSet-Cookie: a=b', '/c/1Set-Cookie:%20a=b'],
  ])('return_to %j leads to %s', async (return_to, path) => {
    newPerson()
    expect(await open().signOn({ return_to })).toBe(path)
  })

  test('the longest path fits into a cookie, and a longer one returns 400', async () => {
    newPerson()
    const browser = open()
    const longest = `/${'x'.repeat(2_047)}`
    const { headers } = await browser.send('POST', '/auth/oidc/start', { return_to: longest })
    expect(headers.getSetCookie()[0]?.length).toBeLessThan(4_000)
    expect(await browser.signOn({ return_to: longest })).toBe(longest)
    const longer = await browser.send('POST', '/auth/oidc/start', { return_to: `${longest}x` })
    expect(longer).toMatchObject(invalid('return_to must be at most 2048 characters'))
  })
})

describe('the methods', () => {
  const methods = async ({ url }: { url: string }) =>
    (await callTo(`${url}/api`)('GET', '/auth/methods')).body

  test('the methods name the provider', async () => {
    const named = await runSignOnService({ ...provider.env, OIDC_NAME: 'Company login' }, service)
    const all = { password: true, sign_up: 'open', mail: false }
    expect(await methods(named)).toEqual({ ...all, oidc: { name: 'Company login' } })
    expect(await methods(service)).toEqual({ ...all, oidc: { name: 'Single sign-on' } })
  })

  test.each(['open', 'invite', 'closed'])('the methods say that sign-ups are %s', async SIGNUPS => {
    const plain = await runSignOnService({ SIGNUPS })
    expect(await methods(plain)).toEqual({ password: true, sign_up: SIGNUPS, oidc: null, mail: false })
  })

  test('without a provider, the routes of single sign-on return 404', async () => {
    const call = callTo(`${(await runSignOnService({})).url}/api`)
    for (const [method, path] of [
      ['POST', '/auth/oidc/start'],
      ['GET', '/auth/oidc/callback'],
      ['POST', '/auth/oidc/link'],
    ] as const)
      expect(await call(method, path)).toMatchObject(notFound())
  })
})

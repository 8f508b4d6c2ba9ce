// What breaks a single sign-on on the way back, and a provider that is down. Nobody is signed in.
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { failed } from '../support/errors.ts'
import { runIdentityProvider } from '../support/identity-provider.ts'
import { openSignOnBrowser, runSignOnService, type SignOnBrowser } from '../support/sign-on.ts'

const COOKIE = '__Host-oidc'
const FAILED = '/sign-in?error=oidc_failed'

const provider = await runIdentityProvider()
const service = await runSignOnService(provider.env)
const other = await runSignOnService(provider.env, service)

let people = 0

/** Somebody new at the provider, who signs in there from now on. */
function newPerson(): void {
  const sub = `person ${++people}`
  provider.signsIn({ sub, email: `person${people}@example.com`, email_verified: true })
}

const open = () => openSignOnBrowser(service)

async function begunAndBack(): Promise<{ browser: SignOnBrowser; back: string; cookie: string }> {
  newPerson()
  const browser = open()
  const back = await browser.comeBack(await browser.begin())
  return { browser, back, cookie: browser.cookie(COOKIE) ?? '' }
}

const sessions = async () => (await service.sql`select from sessions`).length

describe('a broken way back', () => {
  /** Calls back with this change, and expects that nobody is signed in. */
  async function expectFailure(browser: SignOnBrowser, back: string, at = service): Promise<void> {
    const before = await sessions()
    const { status, location } = await browser.get(back, at)
    expect({ status, location }).toEqual({ status: 302, location: FAILED })
    expect(browser.cookie(COOKIE)).toBeUndefined()
    expect(browser.cookie('__Host-session')).toBeUndefined()
    expect(await sessions()).toBe(before)
  }

  const withQuery = (href: string, name: string, value: string) => {
    const url = new URL(href)
    url.searchParams.set(name, value)
    return url.href
  }

  test('a wrong state signs nobody in', async () => {
    const { browser, back } = await begunAndBack()
    await expectFailure(browser, withQuery(back, 'state', 'x'.repeat(43)))
  })

  test('the code of another browser signs nobody in', async () => {
    const [one, two] = [await begunAndBack(), await begunAndBack()]
    await expectFailure(two.browser, one.back)
  })

  test('the code of another sign-on of this browser signs nobody in', async () => {
    const { browser, back } = await begunAndBack()
    const code = new URL(back).searchParams.get('code') ?? ''
    const next = await browser.comeBack(await browser.begin())
    await expectFailure(browser, withQuery(next, 'code', code))
  })

  test('a wrong nonce signs nobody in', async () => {
    newPerson()
    const browser = open()
    const there = withQuery(await browser.begin(), 'nonce', 'x'.repeat(43))
    await expectFailure(browser, await browser.comeBack(there))
  })

  test('the issuer of another provider signs nobody in', async () => {
    const { browser, back } = await begunAndBack()
    await expectFailure(browser, withQuery(back, 'iss', 'https://other.example'))
  })

  test('a forged cookie, or none, signs nobody in', async () => {
    const { browser, back, cookie } = await begunAndBack()
    browser.restore(COOKIE, `${cookie.slice(0, -1)}${cookie.endsWith('A') ? 'B' : 'A'}`)
    await expectFailure(browser, back)
    await expectFailure(open(), back)
    // The code wasn't used.
    browser.restore(COOKIE, cookie)
    expect((await browser.get(back)).location).toBe('/')
  })

  test('a repeated callback signs nobody in, even with the cookie', async () => {
    const { browser, back, cookie } = await begunAndBack()
    expect((await browser.get(back)).location).toBe('/')
    const again = open()
    await expectFailure(again, back)
    again.restore(COOKIE, cookie)
    await expectFailure(again, back)
    again.restore(COOKIE, cookie)
    await expectFailure(again, back, other)
  })

  test('whoever refuses at the provider returns with another error', async () => {
    provider.refuses()
    const browser = open()
    expect(await browser.signOn()).toBe('/sign-in?error=oidc_denied')
    expect(browser.cookie(COOKIE)).toBeUndefined()
    expect(await browser.user()).toBeNull()
  })
})

test('the log says why a sign-on failed, without cookies, codes and tokens', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: line => lines.push(line) })
  const logged = await runSignOnService(provider.env, service, { log })
  newPerson()
  const browser = openSignOnBrowser(logged)
  const back = await browser.comeBack(await browser.begin())
  const cookie = browser.cookie(COOKIE) ?? ''
  await browser.get(back)
  browser.restore(COOKIE, cookie)
  await browser.get(back)
  await browser.get(back)
  const failures = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'single sign-on failed')
  expect(failures).toMatchObject([
    { error: 'invalid_grant' },
    { reason: expect.stringContaining('did not begin it') },
  ])
  for (const secret of [...new URL(back).searchParams.values(), cookie])
    if (secret !== provider.issuer) expect(lines.join('')).not.toContain(secret)
})

describe('a provider that is down', () => {
  const unavailable = failed(503, 'Single sign-on is unavailable')

  test('a provider that is down does not stop the start of the service, and returns 503 until it is back', async () => {
    await provider.stop()
    const late = await runSignOnService(provider.env, service)
    const browser = openSignOnBrowser(late)
    expect(await browser.send('POST', '/auth/oidc/start', {})).toMatchObject(unavailable)
    expect(browser.cookie(COOKIE)).toBeUndefined()
    await provider.start()
    newPerson()
    expect(await browser.signOn()).toBe('/')
  })

  test('a provider that is down at the callback signs nobody in', async () => {
    const { browser, back } = await begunAndBack()
    await provider.stop()
    const { location } = await browser.get(back)
    expect(location).toBe(FAILED)
    expect(await browser.user()).toBeNull()
    await provider.start()
    expect(await browser.signOn()).toBe('/')
  })
})

// A browser that signs in with a provider. It knows PUBLIC_URL as the address of the service, whatever its port is.
import { PUBLIC_URL } from './identity-provider.ts'
import { freePort } from './ports.ts'
import { runService } from './running.ts'
import { type Answer, callTo, type startTestService, type TestService } from './service.ts'

type At = { url: string }

/** A service that people open at PUBLIC_URL. `url` is where it listens. `beside`: an instance on the same database. */
export async function runSignOnService(
  env: Record<string, string>,
  beside?: TestService,
  options: Pick<Parameters<typeof startTestService>[1] & object, 'now' | 'log'> = {},
) {
  const PORT = String(await freePort())
  const service = await runService(
    { TRUST_PROXY: '1', ...env, PORT },
    { database: beside?.database, ...options },
  )
  return { ...service, url: `http://127.0.0.1:${PORT}` }
}

export type SignOnBrowser = ReturnType<typeof openSignOnBrowser>

let browsers = 0

/** Each browser has a network address of its own, if the service has TRUST_PROXY=1. */
export function openSignOnBrowser(service: At, address = `203.0.113.${++browsers}`) {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (origin: string) => jars.get(origin) ?? new Map<string, string>()
  const cookieHeader = (origin: string) =>
    [...jarOf(origin)].map(([name, value]) => `${name}=${value}`).join('; ')

  function keep(origin: string, headers: Headers): void {
    const jar = jarOf(origin)
    for (const cookie of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/; Max-Age=0;/.test(cookie)) jar.delete(name)
      else jar.set(name, value)
    }
    jars.set(origin, jar)
  }

  /** `at`: another instance. Requests of the service go there without a redirect being followed. */
  async function get(
    href: string,
    at = service,
  ): Promise<{ status: number; location: string; headers: Headers }> {
    const { origin, pathname, search } = new URL(href)
    const target = origin === PUBLIC_URL ? at.url + pathname + search : href
    const headers = { Cookie: cookieHeader(origin), 'X-Forwarded-For': address }
    const response = await fetch(target, { headers, redirect: 'manual' })
    await response.body?.cancel()
    keep(origin, response.headers)
    return {
      status: response.status,
      location: response.headers.get('Location') ?? '',
      headers: response.headers,
    }
  }

  async function send<T = Record<string, unknown>>(
    method: string,
    path: string,
    body?: unknown,
    at = service,
  ): Promise<Answer<T>> {
    const headers = { Cookie: cookieHeader(PUBLIC_URL), 'X-Forwarded-For': address }
    const answer = await callTo(`${at.url}/api`, headers)<T>(method, path, body)
    keep(PUBLIC_URL, answer.headers)
    return answer
  }

  async function begin(body: object = {}): Promise<string> {
    const { status, body: started } = await send<{ url: string }>('POST', '/auth/oidc/start', body)
    if (status !== 200) throw new Error(`start returned ${status}: ${JSON.stringify(started)}`)
    return started.url
  }

  /** Goes from page to page of the provider. Returns the address at which it comes back. */
  async function comeBack(from: string): Promise<string> {
    let href = from
    while (new URL(href).origin !== PUBLIC_URL) {
      const { status, location } = await get(href)
      if (location === '') throw new Error(`${href} returned ${status}`)
      href = new URL(location, href).href
    }
    return href
  }

  return {
    get,
    send,
    begin,
    comeBack,
    cookie: (name: string) => jarOf(PUBLIC_URL).get(name),
    /** Keeps a cookie that was deleted, as somebody would who stole it. */
    restore: (name: string, value: string) => jarOf(PUBLIC_URL).set(name, value),
    /** The whole way. Returns the path at which the browser arrives. */
    async signOn(body: object = {}): Promise<string> {
      return (await get(await comeBack(await begin(body)))).location
    },
    /** The user of its session, or null. */
    async user(): Promise<{ id: string; email: string; name: string } | null> {
      const { status, body } = await send<{ user: { id: string; email: string; name: string } }>(
        'GET',
        '/auth/get-session',
      )
      return status === 200 ? body.user : null
    },
  }
}

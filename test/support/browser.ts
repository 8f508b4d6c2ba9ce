// Browsers that keep their session cookie, each at a network address of its own.
import { callTo, type TestService } from './service.ts'

export type Browser = ReturnType<typeof openBrowser>

let browsers = 0

/** The service needs TRUST_PROXY=1. */
export function openBrowser({ url }: Pick<TestService, 'url'>, address = `198.51.100.${++browsers}`) {
  const call = callTo(url, { 'X-Forwarded-For': address })
  let cookie = ''
  return {
    cookie: () => cookie,
    async send(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
      const answer = await call<unknown>(method, path, body, { Cookie: cookie, ...headers })
      const [set_cookie] = answer.headers.getSetCookie()
      if (set_cookie !== undefined) cookie = set_cookie.split(';')[0] ?? ''
      return answer
    },
  }
}

/** What the service publishes to other instances from now on. */
export async function listenForNotices({ database }: TestService): Promise<{ kind: string }[]> {
  const notices: { kind: string }[] = []
  await database.sql.listen('channel_feed', payload => notices.push(...JSON.parse(payload).notices))
  return notices
}

// The routes for monitoring: /healthz, /readyz and /metrics.
import { describe, expect, test } from 'vitest'
import { createTestDatabase } from '../support/database.ts'
import { runService } from '../support/running.ts'
import { callTo, startTestService } from '../support/service.ts'

/** Connections that the service opens for single statements. */
const POOL_SIZE = 8

const service = await runService()

test('/healthz returns 200 while the process runs', async () => {
  expect(await callTo(service.url)('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
})

describe('/readyz', () => {
  test('/readyz returns 200 while the database responds', async () => {
    expect(await callTo(service.url)('GET', '/readyz')).toMatchObject({ status: 200 })
  })
  test('/readyz returns 503 in time while every query waits', async () => {
    const waiting = await startTestService()
    const lock = 4711
    await waiting.database.sql.begin(async tx => {
      await tx`select pg_advisory_xact_lock(${lock})`
      // A connection that is in a transaction takes no query before its end, so this asks again until all of them wait.
      const blocked = async () => {
        void waiting.sql`select pg_advisory_xact_lock(${lock})`.catch(() => {})
        const [row] =
          await tx`select count(*)::integer from pg_locks where locktype = 'advisory' and not granted`
        return row?.count
      }
      await expect.poll(blocked).toBe(POOL_SIZE)
      const responses = await Promise.all([1, 2, 3].map(() => callTo(waiting.url)('GET', '/readyz')))
      for (const response of responses)
        expect(response).toMatchObject({ status: 503, body: { status: 'database does not answer' } })
    })
    expect((await callTo(waiting.url)('GET', '/readyz')).status).toBe(200)
    await waiting.stop()
  })
  test('/readyz returns 503 without a database, like the API; /healthz stays 200', async () => {
    const database = await createTestDatabase()
    const lonely = await startTestService({}, { database })
    try {
      await database.drop()
      const ask = callTo(lonely.url)
      expect((await ask('GET', '/readyz')).status).toBe(503)
      expect((await ask('GET', '/healthz')).status).toBe(200)
      const response = await ask('POST', '/api/auth/sign-in/email', { email: 'a@b.cd', password: 'x' })
      expect(response.status).toBeGreaterThanOrEqual(500)
      expect(Object.keys(response.body)).toEqual(['error'])
      expect(String(response.body.error)).toMatch(/^(Service unavailable|Internal server error)$/)
    } finally {
      await lonely.stop()
    }
  })
})

describe('/metrics', () => {
  const metrics = async () => {
    const response = await fetch(`${service.url}/metrics`)
    return { type: response.headers.get('Content-Type'), text: await response.text() }
  }
  const requests = (text: string, status: number) =>
    Number(
      new RegExp(`^channel_feed_http_requests_total\\{method="GET",status="${status}"\\} (\\d+)$`, 'm').exec(
        text,
      )?.[1] ?? 0,
    )

  test('/metrics is in the text format of Prometheus', async () => {
    const { type, text } = await metrics()
    expect(text, 'Node’s own').toContain('\nnodejs_eventloop_lag_seconds ')
    expect(type).toMatch(/^text\/plain; version=0\.0\.4/)
    for (const line of text.split('\n').filter(Boolean))
      expect(line).toMatch(/^(# (HELP|TYPE) \w+ .+|\w+(\{[^}]*\})? \S+)$/)
  })
  test('/metrics counts requests by status, errors too', async () => {
    const before = (await metrics()).text
    await callTo(service.url)('GET', '/healthz')
    await callTo(service.url)('GET', '/api/nowhere')
    const after = (await metrics()).text
    expect(requests(after, 200)).toBe(requests(before, 200) + 2)
    expect(requests(after, 404)).toBe(requests(before, 404) + 1)
  })
})

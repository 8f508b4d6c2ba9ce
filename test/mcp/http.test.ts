// POST /mcp: who may call it, how soon it answers, and what ends a call that waits.
import { describe, expect, onTestFinished, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { accountAt, createTestKey } from '../support/account.ts'
import { ask, waitFor } from '../support/decisions.ts'
import { denied, failed } from '../support/errors.ts'
import { connectMcp } from '../support/mcp-clients.ts'
import { awaitedHandle, ERAS, postMcp, resultIn } from '../support/mcp-scene.ts'
import { refusedConnections } from '../support/metrics.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { startTestService } from '../support/service.ts'
import { until } from '../support/viewer.ts'

const service = await runService()
const { url } = service
const endpoint = `${url}/mcp`
const scene = await buildScene(service)
const { account, channel_id } = scene
const { api_key } = account

const list = { method: 'tools/list' }
const asking = (key: string, more: object = {}) => ({
  method: 'tools/call',
  params: { name: 'ask_human', arguments: { question: 'Deploy?', key, channel: channel_id, ...more } },
})

describe('access', () => {
  test.each([
    ['no key', null],
    ['a wrong key', 'cf_wrong'],
  ])('%s returns 401 and says that a key is needed', async (_, key) => {
    const response = await postMcp(endpoint, key, list)
    expect(response.status).toBe(401)
    expect(response.headers.get('WWW-Authenticate')).toBe('Bearer')
    expect(await response.json()).toEqual({ error: 'Unauthorized' })
  })

  test('a session without a key returns 401', async () => {
    const response = await postMcp(endpoint, null, list, { headers: { Cookie: account.cookie } })
    expect(response.status).toBe(401)
  })

  test.each(['https://elsewhere.example', 'null', 'http://evil.example'])(
    'the origin %s returns 403, even with a key',
    async Origin => {
      const response = await postMcp(endpoint, api_key, list, { headers: { Origin } })
      expect({ status: response.status, body: await response.json() }).toMatchObject(denied)
    },
  )

  test('our own origin is let through', async () => {
    expect((await postMcp(endpoint, api_key, list, { headers: { Origin: url } })).status).toBe(200)
  })

  test.each(['GET', 'DELETE', 'PUT'])('%s returns 405', async method => {
    const response = await fetch(endpoint, { method, headers: { Authorization: `Bearer ${api_key}` } })
    expect([response.status, response.headers.get('Allow')]).toEqual([405, 'POST'])
  })

  test('a body of more than 256 KiB returns 413', async () => {
    const response = await postMcp(endpoint, api_key, asking('large', { details: 'x'.repeat(257 * 1024) }))
    expect(response.status).toBe(413)
  })

  test('malformed JSON and an unknown tool are errors of the protocol', async () => {
    const headers = {
      Authorization: `Bearer ${api_key}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    }
    const malformed = await fetch(endpoint, { method: 'POST', headers, body: '{' })
    expect([malformed.status, await malformed.json()]).toMatchObject([400, { error: { code: -32700 } }])
    const { call } = await connectMcp({ url, api_key, over: 'http' })
    await expect(call('decide')).rejects.toMatchObject({ code: -32602 })
  })
})

describe('a call that waits', () => {
  test('its headers and a comment leave within a second', async () => {
    const began = performance.now()
    const response = await open('first byte').response
    expect(response.headers.get('Content-Type')).toBe('text/event-stream')
    expect(response.headers.get('X-Accel-Buffering')).toBe('no')
    expect(response.headers.get('Cache-Control')).toBe('no-store, no-transform')
    const { value } = (await response.body?.getReader().read()) ?? {}
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(new TextDecoder().decode(value)).toBe(': open\n\n')
    await awaitedHandle(service)
  })

  test.each(ERAS)('a host of %s that leaves frees the waiter, and the question stays open', async era => {
    const { controller, response } = open(`left in ${era}`, { era })
    await response
    const handle = await awaitedHandle(service)
    controller.abort()
    await until(() => service.waits.open.length === 0, 'the waiter has left')
    await until(() => service.calls.open.length === 0, 'the call is over')
    expect(await stateOf(handle)).toBe('waiting')
  })

  test.each(ERAS)('a deleted key ends its call of %s within 2 s, and the question stays open', async era => {
    const { id, key } = await createTestKey(account.session)
    const { response } = open(`key of ${era}`, { era, api_key: key })
    const handle = await awaitedHandle(service)
    const began = performance.now()
    await account.session('DELETE', `/api-keys/${id}`)
    expect(await resultIn(await response)).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'Unauthorized' }],
    })
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(await stateOf(handle)).toBe('waiting')
  })

  test.each(['stop', 'drain'] as const)(
    'a %s of its instance answers it, and the question stays open',
    async how => {
      const leaving = await startTestService({}, { database: service.database })
      const { response } = open(how, { at: leaving.url, wait: 300 })
      const handle = await awaitedHandle(leaving)
      if (how === 'drain') await leaving.drain(100, new AbortController().signal)
      const stopped = leaving.stop()
      const { structuredContent } = await resultIn(await response)
      expect(structuredContent).toMatchObject({ status: 'waiting', approved: false, handle })
      await stopped
      expect(await stateOf(handle)).toBe('waiting')
    },
  )

  test('a deleted key ends a call within 2 s even if the call can’t wait yet, because others do', async () => {
    const full = await startTestService({}, { database: service.database, waits_per_instance: 1 })
    onTestFinished(() => full.stop())
    const { path } = await ask(account.key, channel_id)
    void waitFor(accountAt(full, account).key, path)
    await awaitedHandle(full)
    const { id, key } = await createTestKey(account.session)
    const { response } = open('no room to wait', { at: full.url, api_key: key })
    await until(async () => (await refusedConnections(full.url, 'wait')) > 0, 'the wait was refused')
    const began = performance.now()
    await account.session('DELETE', `/api-keys/${id}`)
    expect(await resultIn(await response)).toMatchObject({
      isError: true,
      content: [{ text: 'Unauthorized' }],
    })
    expect(performance.now() - began).toBeLessThan(2_000)
  })

  test('a call beyond the limit of waits returns 429', async () => {
    const small = await startTestService({}, { database: service.database, waits_per_instance: 1 })
    onTestFinished(() => small.stop())
    const { controller } = open('the first', { at: small.url })
    await awaitedHandle(small)
    const response = await open('the second', { at: small.url }).response
    expect({ status: response.status, body: await response.json() }).toMatchObject(
      failed(429, 'Too many waiting requests'),
    )
    controller.abort()
    await until(() => small.calls.open.length === 0, 'the first has left')
    expect((await open('the third', { at: small.url }).response).status).toBe(200)
  })
})

/** Asks in a call that ends with the test. `at`: the instance. */
function open(
  key: string,
  {
    at = url,
    api_key = account.api_key,
    era,
    ...more
  }: { at?: string; api_key?: string; era?: (typeof ERAS)[number]; wait?: number } = {},
) {
  const controller = new AbortController()
  onTestFinished(() => controller.abort())
  const { signal } = controller
  return { controller, response: postMcp(`${at}/mcp`, api_key, asking(key, more), { era, signal }) }
}

async function stateOf(handle: string) {
  const path = `/channels/${handle.replace('/', '/decisions/')}`
  return (await account.key<FullDecision>('GET', path)).body.state
}

// Calls of tools through the deploy kit's Caddy: the first byte arrives at once, and a host that leaves frees its waiter.
import { afterAll, describe, expect, test } from 'vitest'
import { hasCaddy, startCaddy } from '../support/caddy.ts'
import { awaitedHandle, postMcp, pressAnswer, resultIn } from '../support/mcp-scene.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { until } from '../support/viewer.ts'

describe.skipIf(!hasCaddy)('the balancer of the kit', async () => {
  const service = await runService()
  const scene = await buildScene(service)
  const caddy = await startCaddy([service.url])
  afterAll(() => caddy.stop())

  const ask = (key: string, signal?: AbortSignal) => {
    const params = { name: 'ask_human', arguments: { question: 'Deploy?', key } }
    const request = { method: 'tools/call', params }
    return postMcp(`${caddy.url}/mcp`, scene.account.api_key, request, { signal })
  }

  test('the first bytes of a waiting call arrive within a second, and later its result', async () => {
    const began = performance.now()
    const response = await ask('first')
    const [first, all] = [response.clone(), response]
    const { value } = (await first.body?.getReader().read()) ?? {}
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(new TextDecoder().decode(value)).toContain(': open')
    await pressAnswer(scene, await awaitedHandle(service), 'Approve')
    expect((await resultIn(all)).structuredContent).toMatchObject({ approved: true })
  })

  test('a host that leaves frees its waiter', async () => {
    const controller = new AbortController()
    await ask('second', controller.signal)
    await awaitedHandle(service)
    controller.abort()
    await until(() => service.waits.open.length === 0, 'the waiter has left')
  })
})

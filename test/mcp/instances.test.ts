// Two instances behind a plain balancer: any of them answers any request.
import { afterAll, describe, expect, test } from 'vitest'
import { startBalancer } from '../support/balancer.ts'
import { CLIENT_NAMES, connectMcp } from '../support/mcp-clients.ts'
import { pressAnswer } from '../support/mcp-scene.ts'
import { runInstances } from '../support/running.ts'
import { buildScene, sceneAt } from '../support/scene.ts'
import { until } from '../support/viewer.ts'

const { here, there } = await runInstances()
const balancer = await startBalancer([here.url, there.url])
afterAll(() => balancer.stop())
const scene = await buildScene(here)
const { api_key } = scene.account
const waiting = () => [...here.waits.open, ...there.waits.open]

describe.each(CLIENT_NAMES)('the client %s', name => {
  test('calls on both instances join one question, and a press on either one answers them all', async () => {
    const { call } = await connectMcp({ url: balancer.url, api_key, over: 'http' }, name)
    const asked = { question: 'Deploy?', key: name }
    const calls = Array.from({ length: 4 }, () => call('ask_human', asked))
    await until(() => waiting().length === 4, 'all wait')
    expect(here.waits.open).toHaveLength(2)
    const [wait] = waiting()
    const handle = `${wait?.channel_id}/${wait?.decision_id}`
    await pressAnswer(sceneAt(there, scene), handle, 'Approve')
    for (const { structuredContent } of await Promise.all(calls))
      expect(structuredContent).toMatchObject({ status: 'decided', approved: true, handle })
  })

  test('a call whose instance leaves goes on at the other one', async () => {
    const { call } = await connectMcp({ url: balancer.url, api_key, over: 'http' }, name)
    const { structuredContent } = await call('ask_human', { question: 'And now?', key: name, wait: 0 })
    const handle = String(structuredContent?.handle)
    balancer.leave(here.url)
    const result = call('get_decision', { handle })
    await until(() => there.waits.open.length === 1, 'the other instance waits')
    balancer.use(here.url)
    await pressAnswer(scene, handle, 'Approve')
    expect((await result).structuredContent).toMatchObject({ status: 'decided', approved: true })
  })
})

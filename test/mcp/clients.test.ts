// The official clients list the tools, ask, and get the answer: in each era, over HTTP and on stdio.
import { describe, expect, test } from 'vitest'
import { CLIENT_NAMES, connectMcp, type Way } from '../support/mcp-clients.ts'
import { awaitedHandle, pressAnswer } from '../support/mcp-scene.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { until } from '../support/viewer.ts'

const service = await runService()
const scene = await buildScene(service)
const { api_key } = scene.account

const ways = (['http', 'stdio'] as const).flatMap(over => CLIENT_NAMES.map(name => ({ over, name })))

describe.each(ways)('the client $name over $over', ({ over, name }) => {
  const way: Way = { url: service.url, api_key, over }

  test('it lists the tools with their schemas', async () => {
    const { client } = await connectMcp(way, name)
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name)).toEqual([
      'ask_human',
      'get_decision',
      'cancel_question',
      'push_card',
      'update_card',
      'list_channels',
      'list_cards',
    ])
    for (const tool of tools) expect(tool.outputSchema?.type).toBe('object')
  })

  test('a person answers while the call waits', async () => {
    const { call } = await connectMcp(way, name)
    const result = call('ask_human', { question: 'Deploy?', key: `${over} ${name}`, choices: ['Yes', 'No'] })
    await pressAnswer(scene, await awaitedHandle(service), 'Yes')
    expect((await result).structuredContent).toMatchObject({
      status: 'decided',
      approved: true,
      choice: 'Yes',
    })
  })

  test('a host that leaves frees the waiter', async () => {
    const { client, call } = await connectMcp(way, name)
    const result = call('ask_human', { question: 'Still there?', key: `${over} ${name}` })
    await awaitedHandle(service)
    await client.close()
    await expect(result).rejects.toThrow()
    await until(() => service.waits.open.length === 0, 'the waiter has left')
  })
})

// Over HTTP, a cancel of 2025 is a request of its own, which doesn't reach the call.
describe.each(ways.filter(({ over, name }) => over === 'stdio' || name.includes('2026')))(
  'the client $name over $over',
  ({ over, name }) => {
    test('a cancelled call frees the waiter, and the question stays open', async () => {
      const { call } = await connectMcp({ url: service.url, api_key, over }, name)
      const controller = new AbortController()
      const asked = { question: 'Cancelled?', key: `cancelled by ${name} over ${over}` }
      const result = call('ask_human', asked, { signal: controller.signal })
      const handle = await awaitedHandle(service)
      controller.abort()
      await expect(result).rejects.toThrow()
      await until(() => service.waits.open.length === 0, 'the waiter has left')
      const { structuredContent } = await call('get_decision', { handle, wait: 0 })
      expect(structuredContent).toMatchObject({ status: 'waiting', handle })
    })
  },
)

// The official clients list the tools, ask, and get the answer: in each era, over HTTP and on stdio.
import { describe, expect, test } from 'vitest'
import { CLIENTS, type ClientName, connectMcp, type Way } from '../support/mcp-clients.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { until } from '../support/viewer.ts'

const service = await runService()
const scene = await buildScene(service)
const { api_key } = scene.account

const names = Object.keys(CLIENTS).filter((name): name is ClientName => name in CLIENTS)
const ways = (['http', 'stdio'] as const).flatMap(over => names.map(name => ({ over, name })))

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
    await until(() => service.waits.open.length === 1, 'the call waits')
    const [wait] = service.waits.open
    const { body } = await scene.account.key<{ card_id: string }>(
      'GET',
      `/channels/${scene.channel_id}/decisions/${wait?.decision_id}`,
    )
    const { body: card } = await scene.account.key<{ updated_at: string }>(
      'GET',
      `/channels/${scene.channel_id}/cards/${body.card_id}`,
    )
    await scene.interact({
      card_id: body.card_id,
      seen: card.updated_at,
      trigger: { type: 'button_click', button_id: 'Yes' },
    })
    expect((await result).structuredContent).toMatchObject({
      status: 'decided',
      approved: true,
      choice: 'Yes',
    })
  })
})

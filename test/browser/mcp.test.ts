// A model asks, and a person answers in the browser while the call waits.
import { expect, test } from 'vitest'
import { connectMcp } from '../support/mcp-clients.ts'
import { choose, expectDescription, questionOn } from './support/decisions.ts'
import { createChannel, opened, server, setStage } from './support/stage.ts'

setStage()

test.each(['http', 'stdio'] as const)(
  'a person answers in the browser what a model asks over %s',
  async over => {
    const { id: channel } = await createChannel()
    const { page } = await opened(channel)
    const { call } = await connectMcp({ url: server.url, api_key: server.api_key, over })
    const result = call('ask_human', {
      question: 'Deploy v42?',
      key: 'deploy-v42',
      choices: ['Deploy', 'Not now'],
      fields: [{ type: 'input', id: 'note', label: 'Release note' }],
      channel,
    })
    const asked = questionOn(page, 'Deploy v42?')
    await asked.getByRole('button', { name: 'Deploy' }).waitFor()
    await page.getByLabel('Release note').fill('Faster start')
    await choose(page, 'Deploy')
    expect((await result).structuredContent).toMatchObject({
      status: 'decided',
      approved: true,
      choice: 'Deploy',
      values: { note: 'Faster start' },
      by: { kind: 'owner' },
    })
    await expectDescription(asked, /^You chose Deploy/)
  },
)

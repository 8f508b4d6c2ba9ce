// How long a call waits: hosts that show progress may wait longer.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { expect, onTestFinished, test } from 'vitest'
import { createTools } from '../../client/mcp/tools.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { until } from '../support/viewer.ts'

const service = await runService()
const scene = await buildScene(service)

/** Tools whose requests are recorded. */
async function connectRecorded() {
  const requests: string[] = []
  const server = createTools({
    service: {
      url: service.url,
      key: scene.account.api_key,
      fetch: (input, init) => {
        requests.push(String(input))
        return fetch(input, init)
      },
    },
    version: '1.0.0',
    failed: () => {},
  })
  const client = new Client({ name: 'test', version: '1.0.0' })
  const [near, far] = InMemoryTransport.createLinkedPair()
  await server.connect(far)
  await client.connect(near)
  onTestFinished(() => client.close())
  return { client, requests }
}

test.each([
  [
    'with a progressToken, a call waits as long as it says, 50 s per request',
    300,
    { onprogress: () => {} },
    50,
  ],
  ['without one, it waits at most 45 s', 300, {}, 45],
  ['a shorter wait is kept', 7, {}, 7],
  ['a call that names no wait waits 45 s', undefined, {}, 45],
])('%s', async (title, wait, options, sent) => {
  const { client, requests } = await connectRecorded()
  const args = { question: 'Deploy?', key: title, wait }
  client.callTool({ name: 'ask_human', arguments: args }, options).catch(() => {})
  await until(() => service.waits.open.length === 1, 'the call waits')
  expect(requests.at(-1)).toMatch(new RegExp(`\\?wait=(${sent}|${sent - 1})$`))
  await client.close()
  await until(() => service.waits.open.length === 0, 'the call is over')
})

// A host that doesn't read its response: what the tool read for it counts as unread.
import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { pushCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { blocksOf, storeBlocks } from '../support/large-cards.ts'
import { readMetric } from '../support/metrics.ts'
import { runWithOwner } from '../support/running.ts'
import { until } from '../support/viewer.ts'

const CARD_BYTES = 1_000_000
const COUNT = 3

const { service, ann } = await runWithOwner()
const unread = () => readMetric(service, 'channel_feed_unread_bytes')

test('large results count as unread until the host has left', async () => {
  const channel_id = await createChannel(ann)
  const ids: string[] = []
  for (let i = 0; i < COUNT; i++) {
    const path = await pushCard(ann.key, `/channels/${channel_id}/cards`)
    ids.push(path.split('/').at(-1) ?? '')
  }
  await storeBlocks(service, channel_id, ids, blocksOf(CARD_BYTES))
  const host = connect(Number(new URL(service.url).port), '127.0.0.1')
  const params = { name: 'list_cards', arguments: {} }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${ann.api_key}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Content-Length: ${body.length}`,
  ]
  host.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  await once(host, 'readable')
  expect(String(host.read(12))).toBe('HTTP/1.1 200')
  await until(async () => (await unread()) > COUNT * CARD_BYTES, 'the list counts')
  host.destroy()
  await until(async () => (await unread()) === 0, 'the host has left')
})

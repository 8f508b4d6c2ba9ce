import { Session } from 'node:inspector/promises'
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { until } from '../support/viewer.ts'
const service = await runService()
const scene = await buildScene(service)
const post = (id: number, args: object) => fetch(`${service.url}/mcp`, { method: 'POST', headers: { Authorization: `Bearer ${scene.account.api_key}`, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }, body: JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'ask_human', arguments: args , _meta: {progressToken: id}} }) })
test('x', async () => {
  await post(0, { question: 'warm', key: 'warm', wait: 0 }).then(r => r.text())
  global.gc?.()
  const before = process.memoryUsage()
  const session = new Session(); session.connect(); await session.post('Profiler.enable'); await session.post('Profiler.start')
  const cpu = process.cpuUsage()
  const began = performance.now()
  const answers = Array.from({ length: 1000 }, (_, i) => post(i, { question: `Deploy ${i % 10}?`, key: `k${i % 10}`, wait: 300 }))
  const texts = answers.map(async a => (await a).text())
  await until(() => service.waits.open.length === 1000, 'all wait')
  const { profile } = await session.post('Profiler.stop'); writeFileSync('/tmp/h-mcp/p.json', JSON.stringify(profile))
  console.log('open after', performance.now() - began, process.cpuUsage(cpu))
  global.gc?.()
  if (process.env.HEAP) { const parts: string[] = []; session.on('HeapProfiler.addHeapSnapshotChunk', (m: any) => parts.push(m.params.chunk)); await session.post('HeapProfiler.takeHeapSnapshot'); writeFileSync('/tmp/h-mcp/h.heapsnapshot', parts.join('')) }
  const after = process.memoryUsage()
  console.log((after.rss - before.rss) / 1e6, (after.heapUsed - before.heapUsed) / 1e6, (after.external-before.external)/1e6)
  const cards = await scene.account.key<{cards: {id: string, updated_at: string, blocks: any[]}[]}>('GET', `/channels/${scene.channel_id}/cards?limit=50`)
  const t = performance.now()
  for (const card of cards.body.cards) if (card.blocks[0].content?.startsWith('Deploy')) await scene.interact({ card_id: card.id, seen: card.updated_at, trigger: { type: 'button_click', button_id: 'Approve' } })
  const all = await Promise.all(texts)
  console.log('all answered after', performance.now() - t)
  expect(all.filter(x => x.includes('"approved":true')).length).toBe(1000)

})

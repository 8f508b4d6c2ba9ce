// The owner's log: interactions with their deliveries, filters and access.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { ISO } from '../support/cards.ts'
import { type LogEntry, type LogPage, readLog, settledLog } from '../support/deliveries.ts'
import { denied, invalid, notFound } from '../support/errors.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

const textsOf = (entries: LogEntry[]) => entries.map(({ trigger }) => trigger.text ?? trigger.type)

const service = await runService()
const receiver = await runReceiver()
receiver.behave(({ body }) => ({ kind: 'answer', status: body.includes('"bad"') ? 500 : 200 }))
const scene = await buildScene(service, { webhook_url: receiver.url })
const { card_id, action_id } = scene
for (const text of ['good', 'bad']) await scene.reply(text)
await scene.click()
await scene.interact({ card_id, trigger: { type: 'input_change', block_id: 'note', value: 'x' } })
await scene.interact({ trigger: { type: 'header_action', action_id } })
await settledLog(scene)
await scene.account.key('PATCH', `/channels/${scene.channel_id}`, { webhook_url: null })
await scene.reply('without a webhook')

describe('the delivery log', () => {
  test('the delivery log shows the newest interaction first, each with its deliveries', async () => {
    const entries = await readLog(scene)
    const actions = ['header_action', 'input_change', 'button_click']
    expect(textsOf(entries)).toEqual(['without a webhook', ...actions, 'bad', 'good'])
    expect(entries[0]?.deliveries).toEqual([])
    const bad = entries[4]
    const fields = 'interaction_id channel_id card_id timestamp trigger card_state user by deliveries'
    expect(Object.keys(bad ?? {}).join(' ')).toBe(fields)
    expect(bad).toHaveProperty('user', null)
    expect(bad?.deliveries).toStrictEqual([
      {
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        status: 'failed',
        response_code: 500,
        attempts: 1,
        error: 'status 500',
        duration_ms: expect.any(Number),
        created_at: expect.stringMatching(ISO),
      },
    ])
    expect(entries[5]?.deliveries).toMatchObject([{ status: 'success', response_code: 200, error: null }])
  })

  test.each([
    ['type=reply', ['without a webhook', 'bad', 'good']],
    ['type=button_click', ['button_click']],
    ['status=failed', ['bad']],
    ['status=success&type=reply', ['good']],
    ['status=pending', []],
    ['type=test', []],
    ['search=WITHOUT', ['without a webhook']],
    ['search=note', ['input_change']],
    ['search=%25', []],
    ['from=2026-01-01T00:00:00Z&search=good', ['good']],
    ['to=2026-01-01T00:00:00Z', []],
    ['from=9999-01-01T00:00:00Z', []],
  ])(
    'the delivery log is filtered by type, by the status of the latest delivery, by words and by time: ?%s',
    async (query, texts) => {
      expect(textsOf(await readLog(scene, query))).toEqual(texts)
    },
  )

  test.each([
    [
      'type=click',
      'type must be one of button_click, header_action, input_change, reply, decision_expired, test',
    ],
    ['from=yesterday', 'from must be an ISO 8601 time in UTC'],
    ['to=2026-02-31T00:00:00Z', 'to must be an ISO 8601 time in UTC'],
    ['status=ok', 'status must be one of success, failed, pending, held'],
    ['search=%00', 'search must be well-formed Unicode without NUL'],
    ['limit=0', 'limit must be a whole number from 1 to 200'],
    ['limit=201', 'limit must be a whole number from 1 to 200'],
    ['cursor=x', 'cursor is unknown'],
  ])('?%s returns 400', async (query, message) => {
    const path = `/channels/${scene.channel_id}/interactions?${query}`
    expect(await scene.account.session('GET', path)).toMatchObject(invalid(message))
  })

  test.each([
    ['', 2],
    ['&type=reply', 1],
    ['&status=success', 1],
  ])('the delivery log can be read in parts without gaps or repetitions (%s)', async (filter, limit) => {
    const whole = await readLog(scene, `limit=200${filter}`)
    const pages: LogEntry[] = []
    for (let cursor = ''; ; ) {
      const path = `/channels/${scene.channel_id}/interactions?limit=${limit}${filter}${cursor}`
      const { body } = await scene.account.session<LogPage>('GET', path)
      expect(body.interactions.length).toBeLessThanOrEqual(limit)
      pages.push(...body.interactions)
      if (body.next_cursor === null) break
      cursor = `&cursor=${body.next_cursor}`
    }
    expect(pages).toStrictEqual(whole)
  })

  test('the delivery log is visible to its owner only', async () => {
    const { session } = await createAccount(service)
    const base = `/channels/${scene.channel_id}`
    const [entry] = await readLog(scene, 'status=failed')
    for (const [method, path] of [
      ['GET', '/interactions'],
      ['GET', `/deliveries/${entry?.deliveries[0]?.id}`],
      ['POST', `/interactions/${entry?.interaction_id}/redeliver`],
      ['POST', '/webhook-test'],
    ] as const) {
      expect(await session(method, base + path)).toMatchObject(denied)
      expect((await scene.account.session(method, `/channels/${randomUUID()}${path}`)).status).toBe(404)
    }
  })

  test('unknown delivery, or another channel’s, returns 404', async () => {
    const other = await buildScene(service, { account: scene.account })
    const [entry] = await readLog(scene, 'status=failed')
    for (const id of [randomUUID(), 'x', entry?.deliveries[0]?.id]) {
      const path = `/channels/${other.channel_id}/deliveries/${id}`
      expect(await other.account.session('GET', path)).toMatchObject(notFound('Delivery'))
    }
  })
})

// The tools that ask: what the model gets while a person hasn't answered, and when they have.
import { describe, expect, test } from 'vitest'
import { createTestKey } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { connectMcp } from '../support/mcp-clients.ts'
import { awaitedHandle, pressAnswer } from '../support/mcp-scene.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { create } from '../support/service.ts'
import { until } from '../support/viewer.ts'

const service = await runService()
const { url } = service
const scene = await buildScene(service)
const { account, channel_id } = scene
const { api_key } = account

const connect = (key = api_key) => connectMcp({ url, api_key: key, over: 'http' })
const refusal = (text: string) => ({ isError: true, content: [{ type: 'text', text }] })
/** A question that nobody else asks. */
let count = 0
const question = (more: object = {}) => ({ question: 'Deploy v42?', key: `deploy-${++count}`, ...more })

describe('ask_human', () => {
  test('the approving choice is approved, with what the person said', async () => {
    const { call } = await connect()
    const asked = question({
      comment: 'optional',
      fields: [{ type: 'toggle', id: 'canary', label: 'Canary' }],
    })
    const result = call('ask_human', asked)
    const handle = await awaitedHandle(service)
    await pressAnswer(scene, handle, 'Approve', { trigger: { comment: 'go' }, values: { canary: true } })
    const { structuredContent, content } = await result
    expect(structuredContent).toEqual({
      status: 'decided',
      approved: true,
      choice: 'Approve',
      label: 'Approve',
      comment: 'go',
      values: { canary: true },
      by: { kind: 'anonymous', name: null },
      decided_at: expect.any(String),
      expires_at: null,
      handle,
      url: expect.stringContaining(`${url}/c/${channel_id}?card=`),
      jws: expect.any(String),
      next: 'Approved. Do exactly what was asked, once.',
    })
    expect(content.map(({ text }) => JSON.parse(text))).toEqual([structuredContent])
  })

  test('any other choice is not approved', async () => {
    const { call } = await connect()
    const choices = ['eu', { id: 'us', label: 'United States', style: 'danger' }]
    const result = call('ask_human', question({ choices }))
    await pressAnswer(scene, await awaitedHandle(service), 'us')
    expect((await result).structuredContent).toMatchObject({
      status: 'decided',
      approved: false,
      choice: 'us',
      label: 'United States',
      next: 'Not approved. Do not do what was asked. The choice says what the person wants instead.',
    })
  })

  test('a question that nobody answers in time stays open, and get_decision waits on', async () => {
    const { call } = await connect()
    const asked = question({ wait: 0 })
    const { structuredContent: waiting = {} } = await call('ask_human', asked)
    expect(waiting).toMatchObject({
      status: 'waiting',
      approved: false,
      choice: null,
      values: null,
      decided_at: null,
      next: 'Not decided yet. Call get_decision with this handle. Do not ask again. Do not act.',
    })
    const { handle } = waiting
    const answers = [call('get_decision', { handle }), call('get_decision', { key: asked.key })]
    await until(() => service.waits.open.length === 2, 'both calls wait')
    await pressAnswer(scene, String(handle), 'Approve')
    for (const answer of await Promise.all(answers))
      expect(answer.structuredContent).toMatchObject({ status: 'decided', approved: true, handle })
  })

  test('a repeated call with the same key and words joins the open question', async () => {
    const { call } = await connect()
    const asked = question({ details: 'To production' })
    const { structuredContent: first } = await call('ask_human', { ...asked, wait: 0 })
    const { structuredContent: second } = await call('ask_human', { ...asked, wait: 0 })
    expect(second?.handle).toBe(first?.handle)
    const other = await call('ask_human', { ...asked, details: 'To staging', wait: 0 })
    expect(other).toEqual(refusal('A different question with this key is waiting'))
  })

  test('a repeated call never returns an earlier decision', async () => {
    const { call } = await connect()
    const asked = question({ wait: 0 })
    const { structuredContent: first } = await call('ask_human', asked)
    await pressAnswer(scene, String(first?.handle), 'Approve')
    const { structuredContent: second } = await call('ask_human', asked)
    expect(second).toMatchObject({ status: 'waiting', approved: false })
    expect(second?.handle).not.toBe(first?.handle)
  })

  test('a deadline ends the question, and the result says that nobody can decide any more', async () => {
    const { call } = await connect()
    const { structuredContent } = await call('ask_human', question({ expires_in: 1 }))
    expect(structuredContent).toMatchObject({
      status: 'expired',
      approved: false,
      next: 'Expired: nobody decided in time, and nobody can decide any more. Do not act.',
    })
  })

  test('progress is reported every ten seconds', async () => {
    const { call } = await connect()
    const reports: unknown[] = []
    const onprogress = (report: object) => reports.push(report)
    const { structuredContent } = await call('ask_human', question({ wait: 11 }), { onprogress })
    expect(structuredContent).toMatchObject({ status: 'waiting' })
    expect(reports).toEqual([{ progress: 10, total: 11 }])
  })

  test.each([
    [
      { type: 'input', id: 'pin', label: 'PIN', input_type: 'password' },
      'fields[0] must not be a password input',
    ],
    [
      { type: 'button', id: 'more', label: 'More', buttons: [{ id: 'x', label: 'X' }] },
      'fields[0].type must be one of input, select, multiselect, toggle',
    ],
    [{ type: 'select', id: 'region', label: 'Region' }, 'blocks[1].options is required'],
  ])('the field %j is refused', async (field, message) => {
    const { call } = await connect()
    expect(await call('ask_human', question({ fields: [field] }))).toEqual(refusal(message))
  })

  test('arguments of the wrong type are refused by name', async () => {
    const { call } = await connect()
    const { isError, content } = await call('ask_human', { question: 'Deploy?', key: 'k', wait: 301 })
    expect(isError).toBe(true)
    expect(content[0]?.text).toContain('wait')
  })
})

describe('get_decision', () => {
  test('the newest question with the key counts', async () => {
    const { call } = await connect()
    const asked = question({ wait: 0 })
    const { structuredContent: first } = await call('ask_human', asked)
    await pressAnswer(scene, String(first?.handle), 'Reject')
    const { structuredContent: second } = await call('ask_human', asked)
    const { structuredContent } = await call('get_decision', { key: asked.key, wait: 0 })
    expect(structuredContent).toMatchObject({ status: 'waiting', handle: second?.handle })
  })

  test.each([
    [{}, 'handle or key is required'],
    [{ key: 'never asked' }, 'Decision not found'],
    [{ handle: 'x' }, 'handle must be {channel_id}/{decision_id}'],
    [{ handle: 'x/y' }, 'Channel not found'],
    [{ handle: `${channel_id}/${crypto.randomUUID()}` }, 'Decision not found'],
  ])('%j is refused', async (args, message) => {
    const { call } = await connect()
    expect(await call('get_decision', args)).toEqual(refusal(message))
  })

  test('a question on a card of another program is never approved if it names no approving choice', async () => {
    const { call } = await connect()
    const blocks = [{ type: 'button', id: 'b', buttons: [{ id: 'yes', label: 'Yes' }], decision: {} }]
    const { decisions } = await create<{ decisions: { id: string }[] }>(
      account.key,
      `/channels/${channel_id}/cards`,
      { blocks },
    )
    const handle = `${channel_id}/${decisions[0]?.id}`
    await pressAnswer(scene, handle, 'yes')
    const { structuredContent } = await call('get_decision', { handle })
    expect(structuredContent).toMatchObject({ status: 'decided', approved: false, choice: 'yes' })
  })
})

describe('cancel_question', () => {
  test('an open question is closed for everyone, and its waiting call ends', async () => {
    const { call } = await connect()
    const result = call('ask_human', question())
    const handle = await awaitedHandle(service)
    const cancelled = {
      status: 'cancelled',
      approved: false,
      next: 'Cancelled: nobody can decide any more. Do not act.',
    }
    expect((await call('cancel_question', { handle })).structuredContent).toMatchObject(cancelled)
    expect((await result).structuredContent).toMatchObject(cancelled)
  })

  test('a decided question stays decided', async () => {
    const { call } = await connect()
    const { structuredContent } = await call('ask_human', question({ wait: 0 }))
    const handle = String(structuredContent?.handle)
    await pressAnswer(scene, handle, 'Approve')
    expect(await call('cancel_question', { handle })).toEqual(refusal('Already decided'))
  })

  test('a deleted channel ends the call', async () => {
    const { call } = await connect()
    const channel = await createChannel(account, { name: 'Short-lived', mode: 'interactive' })
    const result = call('ask_human', question({ channel }))
    await awaitedHandle(service)
    await account.session('DELETE', `/channels/${channel}`)
    expect(await result).toEqual(refusal('The question was closed: deleted'))
  })
})

describe('a key with the scope read', async () => {
  const { key } = await createTestKey(account.session, { scope: 'read' })

  test.each([
    ['ask_human', question()],
    ['push_card', { blocks: [{ type: 'divider' }] }],
    ['update_card', { card_id: scene.card_id, status: 'success' }],
  ])('%s is listed, and says that the key may only read', async (name, args) => {
    const { client, call } = await connect(key)
    expect((await client.listTools()).tools.map(tool => tool.name)).toContain(name)
    expect(await call(name, args)).toEqual(refusal('This API key may only read'))
  })

  test('it may read and wait, but not close a question', async () => {
    const asker = await connect()
    const { structuredContent } = await asker.call('ask_human', question({ wait: 0 }))
    const handle = String(structuredContent?.handle)
    const { call } = await connect(key)
    expect(await call('cancel_question', { handle })).toEqual(refusal('This API key may only read'))
    const result = call('get_decision', { handle })
    await awaitedHandle(service)
    await pressAnswer(scene, handle, 'Approve')
    expect((await result).structuredContent).toMatchObject({ status: 'decided', approved: true })
  })
})

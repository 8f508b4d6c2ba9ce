// Agents decide with an API key.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { createTestKey, withKey } from '../support/account.ts'
import { ask } from '../support/decisions.ts'
import { failed, invalid } from '../support/errors.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

const service = await runService({ WORKSPACE_LIMIT: '0' })
const { account, channel_id } = await buildScene(service)
const { key } = account

const readFull = async (path: string) => (await key<FullDecision>('GET', path)).body
const refused = (status: number, code: string, error: string) => ({ status, body: { code, error } })

describe('4: agents', async () => {
  const other = await createTestKey(account.session, { name: 'deploy-bot', scope: 'write' })
  const agent = withKey(service.url, other.key)

  test('decide over /api/v1 if the question allows it; repeats return 200', async () => {
    const asked = await ask(key, channel_id, { agents: true, who: 'owner', comment: 'optional' })
    const interaction_id = randomUUID()
    const body = { button_id: 'yes', comment: 'go', values: { note: 'n' }, interaction_id }
    const first = await agent<FullDecision>('POST', asked.path, body)
    expect(first).toMatchObject({
      status: 201,
      body: {
        id: asked.id,
        state: 'decided',
        outcome: {
          interaction_id,
          by: { kind: 'agent', name: 'deploy-bot', user_id: null, api_key_id: other.id },
          comment: 'go',
          values: { note: 'n' },
        },
      },
    })
    const again = await agent('POST', asked.path, body)
    expect(again).toMatchObject({ status: 200, body: first.body })
    expect(await agent('POST', asked.path, { button_id: 'no' })).toMatchObject({
      status: 409,
      body: { code: 'already_decided', error: 'Already decided', decision: first.body },
    })
    const { body: log } = await account.session<{ interactions: object[] }>(
      'GET',
      `/channels/${channel_id}/interactions?limit=1`,
    )
    expect(log.interactions[0]).toMatchObject({
      trigger: { type: 'button_click' },
      user: null,
      by: { kind: 'agent', name: 'deploy-bot', user_id: null },
    })
  })

  test('are refused without `agents`, and the key that asked always', async () => {
    const closed = await ask(key, channel_id)
    expect(await agent('POST', closed.path, { button_id: 'yes' })).toMatchObject(
      refused(403, 'agents', 'Agents may not decide this'),
    )
    const open = await ask(key, channel_id, { agents: true })
    expect(await key('POST', open.path, { button_id: 'yes' })).toMatchObject(
      refused(403, 'own_question', 'The key that asked may not decide'),
    )
    expect((await readFull(open.path)).state).toBe('waiting')
  })

  test('get 404 for an unknown decision or button, 400 without one, and 409 for a question that was asked again', async () => {
    const asked = await ask(key, channel_id, { agents: true })
    const unknown = `/channels/${channel_id}/decisions/${randomUUID()}`
    expect(await agent('POST', unknown, { button_id: 'yes' })).toMatchObject(
      failed(404, 'Decision not found'),
    )
    expect(await agent('POST', asked.path, { button_id: 'maybe' })).toMatchObject(
      failed(404, 'Button not found'),
    )
    expect(await agent('POST', asked.path, {})).toMatchObject(invalid('button_id is required'))
    await agent('POST', asked.path, { button_id: 'yes' })
    const blocks = [{ id: 'ask', patch: { decision: { reopen: true } } }]
    await key('PATCH', `/channels/${channel_id}/cards/${asked.card_id}`, { blocks })
    expect(await agent('POST', asked.path, { button_id: 'yes' })).toMatchObject({
      status: 409,
      body: { code: 'asked_again', decision: { state: 'waiting', card_id: asked.card_id } },
    })
  })
})

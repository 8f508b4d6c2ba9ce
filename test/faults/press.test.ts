// kill -9 of the service between a press and its answer. The device sends the press again.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { createAccount } from '../support/account.ts'
import { afterTest } from '../support/after-test.ts'
import { createChannel } from '../support/channels.ts'
import { ask } from '../support/decisions.ts'
import { startServer } from '../support/server.ts'
import { times } from '../support/times.ts'

type Log = { interactions: { interaction_id: string; decision?: FullDecision }[] }

test('D1: a press that is repeated after kill -9 counts once, and answers 200 or 201', async () => {
  const server = await startServer({
    DAILY_CARD_LIMIT: '0',
    DAILY_BYTE_LIMIT: '0',
    DAILY_CHANNEL_LIMIT: '0',
    ACT_LIMIT: '0',
  })
  afterTest(server.stop)
  const { key, session, workspace_id } = await createAccount(server)
  const channel_id = await createChannel({ key, workspace_id }, { mode: 'interactive' })
  const asked = await times(200, () => ask(key, channel_id))
  const presses = asked.map(({ card_id }) => {
    const trigger = { type: 'button_click', button_id: 'yes' }
    return { interaction_id: randomUUID(), card_id, trigger }
  })
  const press = (body: object) => session('POST', `/channels/${channel_id}/interactions`, body)

  const sent = presses.map(body =>
    press(body).then(
      ({ status }) => status,
      () => null,
    ),
  )
  await Promise.any(sent)
  await server.kill()
  expect(await Promise.all(sent), 'the kill comes before some answers').toContain(null)
  await server.restart()

  for (const { status, body } of await Promise.all(presses.map(press))) {
    expect([200, 201]).toContain(status)
    expect(body.decision).toMatchObject({ state: 'decided', outcome: { button_id: 'yes' } })
  }
  const { body } = await key<Log>('GET', `/channels/${channel_id}/interactions?limit=200`)
  expect(body.interactions.map(one => one.interaction_id).sort()).toEqual(
    presses.map(one => one.interaction_id).sort(),
  )
  for (const { interaction_id, decision } of body.interactions)
    expect(decision?.outcome?.interaction_id).toBe(interaction_id)
})

// Presses on a question whose commit succeeds, while the connection breaks before the instance hears of it.
import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import type { Transaction } from '../../server/database/connect.ts'
import type { Inquiry } from '../../server/decisions/rules.ts'
import type { Outcome } from '../../server/feed/turn/mutation.ts'
import { logInteraction } from '../../server/model/interactions.ts'
import { judgePress, type Press } from '../../server/model/pressing.ts'
import { expectRowsMatchDocument } from './agreement.ts'
import { useChannel } from './scripted.ts'

const scene = useChannel()
afterEach(() => expectRowsMatchDocument(scene.database.sql, scene.channel_id))

const inquiry: Inquiry = {
  asker: { kind: 'agent', name: 'ci', api_key_id: null },
  questions: [{ block_id: 'ask', path: ['blocks', 0, 'decision'], settings: {} }],
  accounts: new Map(),
  request: null,
}
const buttons = ['yes', 'no'].map(id => ({ id, label: id, style: 'primary' as const, disabled: false }))

function pressOf(button_id: string): Press {
  const by = { kind: 'person', user_id: null, name: null, role: null, named: false } as const
  const timestamp = '2026-11-23T06:00:00.000Z'
  const given = { decision_id: null, comment: undefined, values: {}, seen: null }
  return { interaction_id: randomUUID(), button_id, ...given, timestamp, by, public_url: 'http://localhost' }
}

test('D1, D6: a press whose commit succeeded without a response counts once, and the next one learns of it', async () => {
  const { write, commits } = scene.start()
  const { sql } = scene.database
  await write(
    { kind: 'head', change: () => ({ mode: 'interactive' }) },
    {
      also: async tx => void (await tx`update channels set mode = 'interactive'`),
    },
  )
  const card_id = randomUUID()
  const block = { type: 'button' as const, id: 'ask', buttons }
  await write({ kind: 'insert', id: card_id, blocks: [block], status: 'default', inquiry })

  const send = (press: Press) =>
    write(
      { kind: 'press', card_id, decision_id: null, judge: at => judgePress(press, at) },
      {
        also: async (tx: Transaction, outcome: Outcome) => {
          if (outcome.kind !== 'pressed') return
          const { interaction_id, timestamp } = press
          const by = { user_id: null, anonymous: true, decision_id: outcome.decided?.decision.id ?? null }
          const { channel_id } = scene
          await logInteraction(tx, { interaction_id, channel_id, timestamp, ...outcome.logged, ...by })
        },
      },
    )
  commits.script.push(async commit => {
    await commit()
    return { kind: 'unknown' }
  })
  const first = pressOf('yes')
  const pressed = await send(first)
  expect(pressed).toMatchObject({ kind: 'pressed', decided: { decision: { state: 'decided' } } })
  await expect(send(pressOf('no'))).rejects.toMatchObject({ status: 409, code: 'already_decided' })

  const logged = await sql`select interaction_id, trigger->>'button_id' as button_id from interactions`
  expect(logged).toEqual([{ interaction_id: first.interaction_id, button_id: 'yes' }])
  const rows = await sql<{ state: string; decision: object }[]>`select state, decision from decisions`
  expect(rows).toMatchObject([{ state: 'decided', decision: { outcome: { button_id: 'yes' } } }])
})

// Opposite presses, and presses against deadlines, at once on two instances: one outcome, the same everywhere.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Decision, FullDecision } from '../../shared/decision.ts'
import { expectRowsMatchDocument } from '../feed/agreement.ts'
import { ask, question } from '../support/decisions.ts'
import { listenTo } from '../support/event-stream.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene, sceneAt } from '../support/scene.ts'
import { callTo } from '../support/service.ts'
import { times } from '../support/times.ts'

const receiver = await runReceiver()
/** The clock of both instances is ahead by so many milliseconds. */
let ahead = 0
const now = () => Date.now() + ahead
const here = await runService({}, { now })
const there = await runService({}, { now, database: here.database })

type Delivered = { trigger: { button_id: string }; decision: Decision }
type Answer = { error?: string; code?: string; decision?: Decision }

const PAIRS = 500
/** How many questions are pressed at the same time. */
const AT_ONCE = 25

const scene = await buildScene(here, { webhook_url: receiver.url, blocks: [{ type: 'divider' }] })
const other = sceneAt(there, scene)
const { channel_id, account } = scene

const press = (on: typeof scene, card_id: string, button_id: string) =>
  callTo(`${on === scene ? here.url : there.url}/api`)<Answer>(
    'POST',
    `/channels/${channel_id}/interactions`,
    { interaction_id: randomUUID(), card_id, trigger: { type: 'button_click', button_id } },
  )

test(`D1: ${PAIRS} pairs of opposite presses make ${PAIRS} decisions, and rows = document = log = webhook`, async () => {
  const outcomes = new Map<string, string>()
  for (let from = 0; from < PAIRS; from += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        const asked = await ask(account.key, channel_id)
        const pair = await Promise.all([
          press(scene, asked.card_id, 'yes'),
          press(other, asked.card_id, 'no'),
        ])
        const [won, lost] = pair.sort((a, b) => a.status - b.status)
        expect([won?.status, lost?.status]).toEqual([201, 409])
        expect(lost?.body.code).toBe('already_decided')
        expect(lost?.body.decision).toEqual(won?.body.decision)
        outcomes.set(asked.id, won?.body.decision?.outcome?.button_id ?? '')
      }),
    )
  expect(outcomes.size).toBe(PAIRS)

  const { sql } = here.database
  const rows = await sql<
    { id: string; decision: Decision; interaction_id: string; trigger: { button_id: string } }[]
  >`
    select q.id, q.decision, i.interaction_id, i.trigger
    from decisions q join interactions i on i.channel_id = q.channel_id and i.decision_id = q.id
    where q.channel_id = ${channel_id}`
  expect(rows).toHaveLength(PAIRS)
  const logged = await sql`select from interactions where channel_id = ${channel_id}`
  expect(logged).toHaveLength(PAIRS)
  const cards = await sql<{ blocks: { decision?: Decision }[] }[]>`
    select blocks from cards where channel_id = ${channel_id}`
  const inCards = new Map(
    cards.flatMap(({ blocks }) =>
      blocks.flatMap(({ decision }) => (decision ? [[decision.id, decision]] : [])),
    ),
  )
  for (const { id, decision, trigger } of rows) {
    expect([decision.outcome?.button_id, trigger.button_id]).toEqual([outcomes.get(id), outcomes.get(id)])
    expect(inCards.get(id)).toEqual(decision)
  }
  await expectRowsMatchDocument(sql, channel_id)
  const received = await receiver.hasReceived(PAIRS)
  for (const { body } of received) {
    const { trigger, decision }: Delivered = JSON.parse(body)
    expect([trigger.button_id, decision.outcome?.button_id]).toEqual(Array(2).fill(outcomes.get(decision.id)))
  }
}, 300_000)

test('D3: a press and an expiry at the same time never both win, 200 times', async () => {
  const { sql } = here.database
  for (let round = 0; round < 8; round++) {
    const asked = await times(25, () => ask(account.key, channel_id, { expires_in: 60 }))
    const presses = asked.map(({ card_id }, i) => press(i % 2 ? scene : other, card_id, 'yes'))
    // The reads close the questions on the other instances, while the presses are under way.
    await new Promise(resolve => setImmediate(resolve))
    ahead += 60_000
    const reads = asked.map(({ path }, i) => read(i % 2 ? other : scene, path))
    const answers = await Promise.all(presses)
    await Promise.all(reads)
    for (const [i, { path, id }] of asked.entries()) {
      const won = answers[i]?.status === 201
      if (!won) expect(answers[i]).toMatchObject({ status: 409, body: { code: 'expired' } })
      const { state, outcome } = await read(scene, path)
      expect([state, outcome !== null]).toEqual([won ? 'decided' : 'expired', won])
      const log = await sql<{ type: string }[]>`
        select type from interactions where channel_id = ${channel_id} and decision_id = ${id}`
      expect(log.map(({ type }) => type)).toEqual([won ? 'button_click' : 'decision_expired'])
    }
  }
  await expectRowsMatchDocument(sql, channel_id)
}, 300_000)

const read = async (on: typeof scene, path: string) => (await on.account.key<FullDecision>('GET', path)).body

describe('the same interaction_id', () => {
  test('D5: the same interaction_id from 20 sockets to two instances gives one 201', async () => {
    const asked = await ask(account.key, channel_id)
    const body = {
      interaction_id: randomUUID(),
      card_id: asked.card_id,
      trigger: { type: 'button_click', button_id: 'yes' },
    }
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => (i % 2 ? scene : other).interact(body)),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body)
  })
})

test('one key asked on two instances at once waits once', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      (i % 2 ? scene : other).account.key<{ id: string }>('POST', `/channels/${channel_id}/cards`, {
        blocks: question({ key: 'release' }),
      }),
    ),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([...Array(19).fill(200), 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
})

test('decision events follow the card’s event of the same turn', async () => {
  const events = await listenTo(here.url, account.api_key, channel_id)
  const asked = await ask(account.key, channel_id)
  await press(other, asked.card_id, 'yes')
  const again = await ask(account.key, channel_id)
  await account.key('DELETE', again.path)
  const third = await ask(account.key, channel_id)
  await account.key('DELETE', `/channels/${channel_id}/cards/${third.card_id}`)
  const names: string[] = []
  while (names.at(-1) !== 'card.deleted') {
    const { event } = await events.next()
    if (event !== 'interaction.created') names.push(event)
  }
  expect((await events.next()).event).toBe('decision.cancelled')
  expect(names).toEqual([
    'card.inserted',
    'decision.waiting',
    'card.updated',
    'decision.decided',
    'card.inserted',
    'decision.waiting',
    'card.updated',
    'decision.cancelled',
    'card.inserted',
    'decision.waiting',
    'card.deleted',
  ])
})

// Decisions in webhooks, lists, event streams and the log. Interactions without a decision look as before.
import { expect, test } from 'vitest'
import type { FullDecision } from '../../shared/decision.ts'
import { type Asked, ask } from '../support/decisions.ts'
import { type DeliveryDetails, lastDelivery, readLog, settledLog } from '../support/deliveries.ts'
import { listenTo } from '../support/event-stream.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene, type LoggedInteraction } from '../support/scene.ts'

const receiver = await runReceiver()
const service = await runService({ WORKSPACE_LIMIT: '0' })

type Listed = LoggedInteraction & { decision?: FullDecision }

const newScene = () => buildScene(service, { webhook_url: receiver.url })
type Scene = Awaited<ReturnType<typeof newScene>>

const press = (scene: Scene, { card_id }: Asked, more: object = {}) =>
  scene.interact({ card_id, trigger: { type: 'button_click', button_id: 'yes', ...more } })

const readDecision = async ({ account }: Scene, { path }: Asked) =>
  (await account.key<FullDecision>('GET', path)).body

async function listed({ account, channel_id }: Scene): Promise<Listed[]> {
  const path = `/channels/${channel_id}/interactions`
  return (await account.key<{ interactions: Listed[] }>('GET', path)).body.interactions
}

/** The requests of the test so far, oldest first. */
async function delivered(scene: Scene): Promise<string[]> {
  await settledLog(scene)
  const own = receiver.received.filter(({ body }) => body.includes(scene.channel_id))
  return own.map(({ body }) => body)
}

const FIELDS = ['interaction_id', 'channel_id', 'card_id', 'timestamp', 'trigger', 'card_state']

test('a press that decides carries the decision, after card_state, everywhere', async () => {
  const scene = await newScene()
  const { account, channel_id } = scene
  const stream = await listenTo(service.url, account.api_key, channel_id)
  const asked = await ask(account.key, channel_id, { comment: 'optional', approves: 'yes' })
  const pressed = await press(scene, asked, { comment: 'go', decision_id: asked.id })
  expect(pressed.status).toBe(201)
  const decision = await readDecision(scene, asked)
  expect(decision).toMatchObject({
    state: 'decided',
    outcome: { button_id: 'yes', comment: 'go', interaction_id: pressed.body.interaction_id },
  })
  const [body = ''] = await delivered(scene)
  expect(Object.keys(JSON.parse(body))).toEqual([...FIELDS, 'decision'])
  expect(JSON.parse(body).decision).toStrictEqual(decision)
  expect((await listed(scene))[0]).toStrictEqual(JSON.parse(body))
  expect((await readLog(scene))[0]).toMatchObject({ decision })
  let event = await stream.next()
  while (event.event !== 'interaction.created') event = await stream.next()
  expect(event.data).toStrictEqual(JSON.parse(body))
})

test('a redelivery has the same bytes, even after the card is gone', async () => {
  const scene = await newScene()
  const asked = await ask(scene.account.key, scene.channel_id)
  const { interaction_id } = (await press(scene, asked)).body
  const [first] = await delivered(scene)
  await scene.account.key('DELETE', `/channels/${scene.channel_id}/cards/${asked.card_id}`)
  await scene.account.session(
    'POST',
    `/channels/${scene.channel_id}/interactions/${interaction_id}/redeliver`,
  )
  expect(await delivered(scene)).toEqual([first, first])
  expect((await lastDelivery(scene)).request_body).toBe(first)
  expect(await readDecision(scene, asked)).toMatchObject({ card_id: null, state: 'decided' })
})

test('bodies of other interactions are byte-identical to those without decisions', async () => {
  const scene = await newScene()
  await ask(scene.account.key, scene.channel_id)
  const answers = [
    await scene.click(),
    await scene.reply('hello'),
    await scene.interact({ trigger: { type: 'header_action', action_id: scene.action_id } }),
    await scene.interact({
      card_id: scene.card_id,
      trigger: { type: 'input_change', block_id: 'canary', value: false },
    }),
  ]
  const bodies = answers.map(({ body }) => {
    const { interaction_id, channel_id, card_id, timestamp, trigger, card_state } = body
    return JSON.stringify({ interaction_id, channel_id, card_id, timestamp, trigger, card_state })
  })
  expect(await delivered(scene)).toEqual(bodies)
  expect((await listed(scene)).map(one => JSON.stringify(one)).reverse()).toEqual(bodies)
  for (const entry of await readLog(scene)) expect(entry).not.toHaveProperty('decision')
  const test = await scene.account.session<DeliveryDetails>(
    'POST',
    `/channels/${scene.channel_id}/webhook-test`,
  )
  expect(Object.keys(JSON.parse(test.body.request_body))).toEqual(FIELDS)
})

test('an expiry is logged, listed and delivered once, without a person', async () => {
  const scene = await newScene()
  const { account, channel_id } = scene
  const asked = await ask(account.key, channel_id, { expires_in: 1, approves: 'yes' })
  await expect.poll(() => delivered(scene), { timeout: 5_000 }).toHaveLength(1)
  const decision = await readDecision(scene, asked)
  const [interaction, ...others] = await listed(scene)
  expect(others).toEqual([])
  expect(interaction).toStrictEqual({
    interaction_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    channel_id,
    card_id: asked.card_id,
    timestamp: decision.expires_at,
    trigger: { type: 'decision_expired', block_id: 'ask' },
    card_state: expect.arrayContaining([expect.objectContaining({ id: 'title', content: 'Roll out?' })]),
    decision,
  })
  expect(decision).toMatchObject({ state: 'expired', outcome: null })
  const [body = ''] = await delivered(scene)
  expect(JSON.parse(body)).toStrictEqual(interaction)
  const [entry] = await readLog(scene, 'type=decision_expired')
  expect(entry).toMatchObject({ by: { kind: 'anonymous', name: null, user_id: null }, user: null, decision })
})

test('a withdrawn question logs and delivers nothing', async () => {
  const scene = await newScene()
  const asked = await ask(scene.account.key, scene.channel_id)
  await scene.account.key('DELETE', asked.path)
  await scene.reply('after it')
  expect(await delivered(scene)).toHaveLength(1)
  expect(await listed(scene)).toHaveLength(1)
})

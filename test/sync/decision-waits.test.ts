// Requests that wait for a decision on another instance: with notices, without any, and while the database is away.
import { describe, expect, test } from 'vitest'
import { accountAt } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { cutNotices, loseNotices, takeAway } from '../support/database.ts'
import { type Asked, ask, decisionOf, waitFor } from '../support/decisions.ts'
import { runDatabase, runInstances } from '../support/running.ts'
import { buildScene, type Scene, sceneAt } from '../support/scene.ts'
import type { TestService } from '../support/service.ts'
import { until, watchSynced } from '../support/viewer.ts'

const { here, there } = await runInstances({ WORKSPACE_LIMIT: '0' })

const press = ({ interact }: Pick<Scene, 'interact'>, { card_id }: Asked, button_id = 'yes') =>
  interact({ card_id, trigger: { type: 'button_click', button_id } })
const waits = ({ waits }: TestService, count: number) =>
  until(() => waits.open.length === count, `${count} wait`)

/** Asks here, and waits there. */
async function askAndWait(here: TestService, there: TestService) {
  const scene = await buildScene(here)
  const asked = await ask(scene.account.key, scene.channel_id)
  const remote = accountAt(there, scene.account)
  const answer = waitFor(remote.key, asked.path)
  await until(() => there.waits.open.some(({ decision_id }) => decision_id === asked.id), 'it waits')
  return { scene, asked, answer, remote }
}

test('D2: waits on both instances and in many channels get their own outcomes', async () => {
  const scenes = await Promise.all(Array.from({ length: 20 }, () => askAndWait(here, there)))
  await Promise.all(scenes.map(({ scene, asked }, i) => press(scene, asked, i % 2 ? 'yes' : 'no')))
  for (const [i, { asked, answer }] of scenes.entries())
    expect((await answer).body).toMatchObject({ id: asked.id, outcome: { button_id: i % 2 ? 'yes' : 'no' } })
})

test('D2: screens on both instances and an agent that waits show one outcome within a second', async () => {
  const { scene, asked, answer } = await askAndWait(here, there)
  const { channel_id, account } = scene
  const screens = await Promise.all(
    [here, there].map(({ url }) => watchSynced(url, channel_id, { token: account.api_key })),
  )
  const shown = screens.map(async ({ cards, sees }) => {
    const decision = () => decisionOf(cards().find(({ id }) => id === asked.card_id))
    await sees(() => decision()?.state === 'decided')
    return decision()
  })
  const { body } = await press(scene, asked)
  const began = performance.now()
  const [agent, first, second] = await Promise.all([answer, ...shown])
  expect(performance.now() - began).toBeLessThan(1_000)
  expect(body).toMatchObject({ decision: first })
  expect(second).toStrictEqual(first)
  const { ended_at } = first ?? {}
  expect(agent.body).toMatchObject({
    id: asked.id,
    state: 'decided',
    ended_at,
    outcome: { button_id: 'yes' },
  })
})

test('D1: an expiry is written once, although both instances sweep', async () => {
  const scene = await buildScene(here)
  const { key } = scene.account
  const asked = await Promise.all(
    Array.from({ length: 10 }, () => ask(key, scene.channel_id, { expires_in: 1 })),
  )
  const remote = accountAt(there, scene.account)
  const answers = await Promise.all(asked.map(({ path }, i) => waitFor(i % 2 ? key : remote.key, path)))
  expect(answers.map(({ body }) => body.state)).toEqual(asked.map(() => 'expired'))
  const path = `/channels/${scene.channel_id}/interactions`
  const { interactions } = (await key<{ interactions: { decision: { id: string } }[] }>('GET', path)).body
  expect(interactions.map(({ decision }) => decision.id).sort()).toEqual(asked.map(({ id }) => id).sort())
})

test('D2: while the bus is cut again and again, waits are still answered', async () => {
  const { scene, asked, answer } = await askAndWait(here, there)
  await Promise.all([cutNotices(there.sql), press(scene, asked), cutNotices(there.sql)])
  const began = performance.now()
  expect((await answer).body.state).toBe('decided')
  expect(performance.now() - began).toBeLessThan(6_000)
})

describe('an outage of the database', () => {
  test('while the database is away, waits stay; later they get the outcome, or 503 if they are over', async () => {
    const { scene, asked, answer, remote } = await askAndWait(here, there)
    const brief = remote.key('GET', `${asked.path}?wait=2`)
    await waits(there, 2)
    const giveBack = await takeAway(here.database)
    expect(await brief).toMatchObject({ status: 503, body: { error: 'Service unavailable' } })
    expect(there.waits.open).toHaveLength(1)
    await giveBack()
    await until(async () => (await press(scene, asked)).status === 201, 'the press counts')
    const began = performance.now()
    expect((await answer).body).toMatchObject({ state: 'decided' })
    expect(performance.now() - began).toBeLessThan(6_000)
  })
})

describe('lost notices', async () => {
  const database = await runDatabase()
  await loseNotices(database)
  const { here, there } = await runInstances({}, { database })

  test('without a notice, a deleted key ends its wait with 401, and a deleted channel with 404', async () => {
    const { scene, asked, answer } = await askAndWait(here, there)
    const { body } = await scene.account.session<{ id: string; key: string }>('POST', '/api-keys', {
      name: 'K',
    })
    const doomed = sceneAt(there, { ...scene, account: { ...scene.account, api_key: body.key } })
    const refused = waitFor(doomed.account.key, asked.path)
    await waits(there, 2)
    await scene.account.session('DELETE', `/api-keys/${body.id}`)
    expect((await refused).status).toBe(401)
    await scene.account.key('DELETE', `/channels/${scene.channel_id}`)
    expect(await answer).toMatchObject({ status: 404, body: { error: 'Channel not found' } })
  })
})

test('D4: a wait for a question that is asked again ends as cancelled or decided, never as the new one', async () => {
  const scene = await buildScene(here)
  const { key } = scene.account
  const channel_id = await createChannel(scene.account)
  const first = await ask(key, channel_id)
  const answer = waitFor(accountAt(there, scene.account).key, first.path)
  await until(() => there.waits.open.length === 1, 'it waits')
  await key('DELETE', first.path)
  const patch = { blocks: [{ id: 'ask', patch: { decision: { reopen: true } } }] }
  expect((await key('PATCH', `/channels/${channel_id}/cards/${first.card_id}`, patch)).status).toBe(200)
  expect((await answer).body).toMatchObject({ id: first.id, state: 'cancelled', reason: 'withdrawn' })
})

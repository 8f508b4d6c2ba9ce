// The cards that wait for a decision of the viewer who asks.
import { expect, test } from 'vitest'
import type { WaitingCards } from '../../shared/channel-view.ts'
import { createAccount } from '../support/account.ts'
import { createChannel } from '../support/channels.ts'
import { ask } from '../support/decisions.ts'
import { runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'
import { type Call, callTo, create } from '../support/service.ts'

let now = Date.now
const service = await runService({ WORKSPACE_LIMIT: '0', DAILY_CARD_LIMIT: '0' }, { now: () => now() })
const { account, channel_id } = await buildScene(service)
const { key, session } = account
const guest = callTo(`${service.url}/api`)

const waiting = async (call: Call, channel = channel_id) =>
  (await call<WaitingCards>('GET', `/channels/${channel}/waiting`)).body
const idsFor = async (call: Call, channel = channel_id) =>
  (await waiting(call, channel)).cards.map(({ id }) => id)
const newChannel = (mode: string) => createChannel(account, { mode })

test('each viewer gets the waiting questions that they may decide, newest first', async () => {
  const bob = await createAccount(service)
  const asked: Record<string, string> = {}
  for (const who of ['anyone', 'signed_in', 'members', 'owner'])
    asked[who] = (await ask(key, channel_id, { who })).card_id
  const listed = (await ask(key, channel_id, { who: [bob.email] })).card_id
  expect(await idsFor(session)).toEqual([asked.owner, asked.members, asked.signed_in, asked.anyone])
  expect(await idsFor(bob.session)).toEqual([listed, asked.signed_in, asked.anyone])
  expect(await idsFor(guest)).toEqual([asked.anyone])
})

test('a question that has ended, is overdue or was deleted with its card does not wait', async () => {
  const channel = await newChannel('interactive')
  const withdrawn = await ask(key, channel)
  await key('DELETE', withdrawn.path)
  const deleted = await ask(key, channel)
  await key('DELETE', `/channels/${channel}/cards/${deleted.card_id}`)
  await ask(key, channel, { expires_in: 3_600 })
  const open = await ask(key, channel, { expires_in: 7_200 })
  now = () => Date.now() + 3_601_000
  expect(await waiting(session, channel)).toMatchObject({ total: 1, cards: [{ id: open.card_id }] })
  now = Date.now
})

test('cards look as in pages, and a card with two questions counts once', async () => {
  const channel = await newChannel('interactive')
  const blocks = ['one', 'two'].map(id => {
    const buttons = [{ id: `go-${id}`, label: 'Go' }]
    return { type: 'button', id, buttons, decision: {} }
  })
  await create(key, `/channels/${channel}/cards`, { blocks })
  const page = await session<{ cards: object[] }>('GET', `/channels/${channel}/pages/0`)
  expect(await waiting(session, channel)).toStrictEqual({ total: 1, cards: page.body.cards })
})

test('nothing waits for viewers of a channel where they can only look', async () => {
  const channel = await newChannel('view')
  await ask(key, channel)
  expect(await waiting(session, channel)).toStrictEqual({ total: 0, cards: [] })
})

test('the newest 50 come, with the number of all, even from below the document', async () => {
  const channel = await newChannel('interactive')
  const cards: string[] = []
  for (let i = 0; i < 51; i++) cards.push((await ask(key, channel)).card_id)
  for (let i = 0; i < 10; i++)
    await Promise.all(
      Array.from({ length: 40 }, () =>
        key('POST', `/channels/${channel}/cards`, { blocks: [{ type: 'divider' }] }),
      ),
    )
  const { total, cards: newest } = await waiting(session, channel)
  expect(total).toBe(51)
  expect(newest.map(({ id }) => id)).toEqual(cards.reverse().slice(0, 50))
})

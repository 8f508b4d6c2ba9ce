// P5: a stream that resumes gets every interaction that it missed, once and in order.
import { beforeEach, expect, test } from 'vitest'
import { createAccount } from '../support/account.ts'
import { pushCard } from '../support/cards.ts'
import { createChannel, patchWorkspace } from '../support/channels.ts'
import { ask } from '../support/decisions.ts'
import { listenTo, type StreamEvent } from '../support/event-stream.ts'
import { runInstances } from '../support/running.ts'
import { callTo } from '../support/service.ts'

const { here, there } = await runInstances()
const ann = await createAccount(here)
await patchWorkspace(ann, { visibility: 'public' })
const urls = [here.url, there.url]
let channel_id: string
beforeEach(async () => {
  channel_id = await createChannel(ann, { mode: 'interactive' })
})

const follow = (last_id?: string, url = here.url) => listenTo(url, ann.api_key, channel_id, last_id)

async function reply(text: string, i = 0): Promise<void> {
  const anyone = callTo(`${urls[i % 2]}/api`)
  const { status } = await anyone('POST', `/channels/${channel_id}/interactions`, {
    trigger: { type: 'reply', text },
  })
  expect(status).toBe(201)
}

const card = () => pushCard(ann.key, `/channels/${channel_id}/cards`)
const named = ({ event, data }: StreamEvent) => {
  const trigger = Reflect.get(Object(data), 'trigger')
  return event === 'interaction.created' ? Reflect.get(Object(trigger), 'text') : event
}

test('interactions during the absence arrive after the turns, whether or not the channel grew', async () => {
  const first = await follow()
  await reply('seen')
  const { id } = await first.next()
  first.leave()
  await reply('one')
  await reply('two', 1)
  expect((await (await follow(id)).take(2)).map(named)).toEqual(['one', 'two'])
  await card()
  await reply('three')
  const returned = await follow(id, there.url)
  expect((await returned.take(4)).map(named)).toEqual(['card.inserted', 'one', 'two', 'three'])
})

test('a stream that ended at any event continues with the next one, on either instance', async () => {
  const witness = await follow()
  for (let i = 0; i < 6; i++) {
    await reply(`${i}`, i)
    if (i % 2) await card()
  }
  const events = await witness.take(9)
  for (const [i, { id }] of events.entries()) {
    const rest = events.length - i - 1
    const returned = await follow(id, urls[i % 2])
    await reply(`last ${i}`)
    const missed = await returned.take(rest + 1 + i)
    // What the witness heard later comes after its turns, so only the set of interactions is compared.
    const interactions = missed.map(named).filter(name => name !== 'card.inserted')
    const heard = events
      .slice(i + 1)
      .map(named)
      .filter(name => name !== 'card.inserted')
    expect(interactions).toEqual([...heard, ...Array.from({ length: i + 1 }, (_, n) => `last ${n}`)])
    returned.leave()
  }
})

test('a press that decides arrives as a decision and as an interaction', async () => {
  const asked = await ask(ann.key, channel_id)
  const first = await follow()
  first.leave()
  const trigger = { type: 'button_click', button_id: 'yes' }
  const anyone = callTo(`${there.url}/api`)
  await anyone('POST', `/channels/${channel_id}/interactions`, { card_id: asked.card_id, trigger })
  const names = (await (await follow(first.first_id)).take(3)).map(({ event }) => event)
  expect(names.sort()).toEqual(['card.updated', 'decision.decided', 'interaction.created'])
})

// A workspace is handed over while cards come and people reply, on two instances.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { textCard } from '../support/cards.ts'
import { createChannel } from '../support/channels.ts'
import { textOf } from '../support/receiver.ts'
import { runInstances, runReceiver } from '../support/running.ts'
import { callTo } from '../support/service.ts'
import { createPeople, createTeam } from '../support/team.ts'

const { here, there } = await runInstances()
const receiver = await runReceiver()

test('M3: a transfer under load loses no card, counts each for one owner, and delivers each reply once', async () => {
  const team = await createTeam(await createPeople(here))
  const { owner, editor, member, workspace_id } = team
  const channel_id = await createChannel(
    { ...owner, workspace_id },
    { mode: 'interactive', webhook_url: receiver.url },
  )
  const acknowledged: string[] = []
  const replied: string[] = []
  let going = true
  const write = async (url: string) => {
    const call = callTo(`${url}/api/v1`, { Authorization: `Bearer ${editor.api_key}` })
    const act = callTo(`${url}/api`, { Cookie: member.cookie })
    while (going) {
      const card = await call<{ id: string }>('POST', `/channels/${channel_id}/cards`, textCard())
      expect(card.status).toBe(201)
      acknowledged.push(card.body.id)
      const text = randomUUID()
      const trigger = { type: 'reply', text }
      const reply = await act('POST', `/channels/${channel_id}/interactions`, {
        interaction_id: randomUUID(),
        trigger,
      })
      expect(reply.status).toBe(201)
      replied.push(text)
    }
  }
  const writers = [here, here, there, there].map(({ url }) => write(url))
  const usedBy = async (user_id: string) => {
    const [row] = await here.sql<{ cards: number }[]>`
      select coalesce(sum(cards), 0)::integer as cards from daily_usage where user_id = ${user_id}`
    return row?.cards ?? 0
  }
  await expect.poll(() => usedBy(owner.user_id)).toBeGreaterThan(20)
  const transfer = await owner.session('POST', `/workspaces/${workspace_id}/transfer`, {
    user_id: editor.user_id,
  })
  expect(transfer.status).toBe(200)
  await expect.poll(() => usedBy(editor.user_id)).toBeGreaterThan(20)
  going = false
  await Promise.all(writers)

  expect((await usedBy(owner.user_id)) + (await usedBy(editor.user_id))).toBe(acknowledged.length)
  const rows = await here.sql<{ id: string }[]>`select id from cards where channel_id = ${channel_id}`
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(acknowledged))
  await receiver.hasReceived(replied.length)
  expect(receiver.received.map(textOf).sort()).toEqual([...replied].sort())
})

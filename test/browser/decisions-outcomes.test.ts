// What a question shows to people who did not decide it: who may decide, who did, and that nobody has to any more.
import { beforeAll, expect, test } from 'vitest'
import { makeSend, question, text } from './support/api.ts'
import { findings } from './support/axe.ts'
import { announcement, choose, expectDescription, questionOn, reopen, withdraw } from './support/decisions.ts'
import { makeUser } from './support/session.ts'
import {
  api,
  createChannel,
  openAsGuest,
  opened,
  server,
  session,
  setStage,
  signedIn,
} from './support/stage.ts'
import { card, openChannel } from './support/visit.ts'

setStage()
beforeAll(() => session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' }))

async function ask(channel: string, title: string, decision: object = {}) {
  const blocks = [text(title), question(decision, 'Approve', 'Reject')]
  const { id, decisions = [] } = await api.push(channel, blocks, 'pending')
  return { card_id: id, path: `/channels/${channel}/decisions/${decisions[0]?.id}` }
}

test.each([
  ['an agent', /^deploy-bot \(agent\) chose Approve · just now/],
  ['someone without a name', /^Someone chose Reject · just now/],
])('13: a question that was decided by %s reads so', async (by, words) => {
  const { id } = await createChannel()
  const { card_id, path } = await ask(id, 'Release', { agents: true })
  const { page } = await opened(id)
  await questionOn(page, 'Release').getByRole('button', { name: 'Approve' }).waitFor()
  if (by === 'an agent') {
    const { key } = await session<{ key: string }>('POST', '/api-keys', {
      name: 'deploy-bot',
      scope: 'write',
    })
    const agent = makeSend(`${server.url}/api/v1`, { Authorization: `Bearer ${key}` })
    await agent('POST', path, { button_id: 'approve' })
  } else {
    const trigger = { type: 'button_click', button_id: 'reject' }
    await makeSend(`${server.url}/api`, {})('POST', `/channels/${id}/interactions`, { card_id, trigger })
  }
  await expectDescription(questionOn(page, 'Release'), words)
  expect(await questionOn(page, 'Release').getByRole('button').count()).toBe(0)
  expect(await findings(page)).toEqual([])
})

test('13: a withdrawn question is no longer needed, and its card waits for nobody; asked again, it can be decided', async () => {
  const { id } = await createChannel()
  const { card_id } = await ask(id, 'Release')
  const { page } = await opened(id)
  const asked = questionOn(page, 'Release')
  await card(page, 'Release').getByText('Needs you').waitFor()
  await withdraw(id, card_id)
  await expectDescription(asked, /^No longer needed/)
  await expect.poll(() => announcement(page, 'status').textContent()).toBe('Release: No longer needed')
  expect(await asked.getByRole('button').count()).toBe(0)
  expect(
    await card(page, 'Release')
      .getByText(/Needs you|Pending/)
      .count(),
  ).toBe(0)
  expect(await findings(page)).toEqual([])
  await reopen(id, card_id)
  await card(page, 'Release').getByText('Needs you').waitFor()
  await choose(page, 'Approve')
  await expectDescription(asked, /^You chose Approve/)
})

test.each([
  ['signed_in', 'Only signed-in people can decide', true],
  ['members', 'Only members can decide', false],
  ['listed', 'Only chosen people can decide', false],
])('13: %s: people without a session can sign in, others see who may decide', async (who, words, sam_may) => {
  const { id } = await createChannel()
  await ask(id, 'Release', { who: who === 'listed' ? [server.owner.email] : who })
  const { page: guest } = await openAsGuest(`/c/${id}`)
  await expectDescription(questionOn(guest, 'Release'), words)
  await questionOn(guest, 'Release').getByRole('link', { name: 'Sign in to decide' }).waitFor()
  expect(await findings(guest)).toEqual([])
  const { page: sam } = await signedIn({}, await makeUser(server))
  await openChannel(sam, server, id)
  await expectDescription(questionOn(sam, 'Release'), `${words} You act as Sam`)
  const approve = questionOn(sam, 'Release').getByRole('button', { name: 'Approve' })
  await expect.poll(() => approve.getAttribute('aria-disabled')).toBe(sam_may ? null : 'true')
})

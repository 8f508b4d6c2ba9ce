// What a question shows to people who did not decide it: who may decide, who did, or that it was withdrawn.
import { beforeAll, expect, test } from 'vitest'
import { buttons, makeSend, question, text } from './support/api.ts'
import { findings } from './support/axe.ts'
import {
  announcement,
  choose,
  expectDescription,
  notesOf,
  questionOn,
  reopen,
  withdraw,
} from './support/decisions.ts'
import { replyBox } from './support/interactions.ts'
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

type Asked = Awaited<ReturnType<typeof ask>>

async function decideAsAgent(_: string, { path }: Asked): Promise<void> {
  const { key } = await session<{ key: string }>('POST', '/api-keys', { name: 'deploy-bot', scope: 'write' })
  const agent = makeSend(`${server.url}/api/v1`, { Authorization: `Bearer ${key}` })
  await agent('POST', path, { button_id: 'approve' })
}

async function decideWithoutName(channel: string, { card_id }: Asked): Promise<void> {
  const trigger = { type: 'button_click', button_id: 'reject' }
  await makeSend(`${server.url}/api`, {})('POST', `/channels/${channel}/interactions`, { card_id, trigger })
}

test.each([
  ['deploy-bot (agent) chose Approve', decideAsAgent],
  ['Someone chose Reject', decideWithoutName],
])('a question that was decided by another reads “%s”', async (words, decide) => {
  const { id } = await createChannel()
  const asked = await ask(id, 'Release', { agents: true })
  const { page } = await opened(id)
  await questionOn(page, 'Release').getByRole('button', { name: 'Approve' }).waitFor()
  await decide(id, asked)
  await questionOn(page, 'Release').getByText(`${words} · just now`).waitFor()
  await expect.poll(() => announcement(page, 'status').textContent()).toBe(`Release: ${words}`)
  expect(await questionOn(page, 'Release').getByRole('button').count()).toBe(0)
  expect(await findings(page)).toEqual([])
})

test('a withdrawn question says so, and its card no longer waits; asked again, it can be decided', async () => {
  const { id } = await createChannel()
  const { card_id } = await ask(id, 'Release')
  const { page } = await opened(id)
  const asked = questionOn(page, 'Release')
  await card(page, 'Release').getByText('Needs you').waitFor()
  await withdraw(id, card_id)
  await expectDescription(asked, /^No longer needed · \d{1,2}:\d\d/)
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
  ['signed_in', 'Only signed-in people can decide'],
  ['members', 'Only members can decide'],
  ['listed', 'Only chosen people can decide'],
])('%s: people without a session can sign in, others see who may decide', async (who, words) => {
  const { id } = await createChannel()
  await ask(id, 'Release', { who: who === 'listed' ? [server.owner.email] : who })
  const { page: guest } = await openAsGuest(`/c/${id}`)
  await expectDescription(questionOn(guest, 'Release'), words)
  await questionOn(guest, 'Release').getByRole('link', { name: 'Sign in to decide' }).waitFor()
  expect(await findings(guest)).toEqual([])

  const { page: sam } = await signedIn({}, await makeUser(server))
  await openChannel(sam, server, id)
  const asked = questionOn(sam, 'Release')
  if (who === 'signed_in') {
    await expectDescription(asked, `${words} You act as Sam`)
    await choose(sam, 'Approve')
    await expectDescription(asked, /^You chose Approve/)
  } else {
    await expectDescription(asked, words)
    const approve = asked.getByRole('button', { name: 'Approve' })
    await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('true')
  }
})

test('a person who is added to the chosen people can decide without a reload', async () => {
  const { id } = await createChannel()
  const { card_id } = await ask(id, 'Release 1', { who: [server.owner.email] })
  const sam = await makeUser(server)
  const { page } = await signedIn({}, sam)
  await openChannel(page, server, id)
  const approve = page.getByRole('button', { name: 'Approve' })
  await expect.poll(() => approve.getAttribute('aria-disabled')).toBe('true')
  let requests = 0
  page.on('request', request => {
    if (request.url().endsWith('/view')) requests++
  })
  const decision = { who: [server.owner.email, sam.email] }
  await api.patch(id, card_id, { blocks: [{ id: 'buttons', patch: { decision } }] })
  for (const content of ['Release 2', 'Release 3']) {
    await api.patch(id, card_id, { blocks: [{ id: 'text', patch: { content } }] })
    await questionOn(page, content).waitFor()
  }
  // A change of the card sends no request: a thousand viewers would send it at once.
  expect(requests).toBe(0)
  await questionOn(page, 'Release 3').hover()
  await expect.poll(() => approve.getAttribute('aria-disabled')).toBe(null)
  expect(requests).toBe(1)
  await choose(page, 'Approve')
  await expectDescription(questionOn(page, 'Release 3'), /^You chose Approve/)
})

test('D5: a press that is confirmed after the channel became view-only says that it did not count', async () => {
  const approve = { id: 'approve', label: 'Approve', confirm: 'Release it to everyone?' }
  const { id } = await createChannel({}, text('Release'), question({}, approve, 'Reject'))
  const { page } = await opened(id)
  await choose(page, 'Approve')
  const dialog = page.getByRole('alertdialog')
  await dialog.waitFor()
  await api.patchChannel(id, { mode: 'view' })
  await replyBox(page).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Approve' }).click()
  const note = 'This channel is view only now. Your Approve did not count.'
  await expect.poll(() => notesOf(questionOn(page, 'Release')).allInnerTexts()).toEqual([note])
  await expect.poll(() => announcement(page, 'alert').textContent()).toBe(note)
})

test('on every device of the owner, what the owner pressed reads “You”', async () => {
  const { id } = await createChannel({ receipts: 'on' })
  await ask(id, 'Release')
  await api.push(id, [text('Worker'), buttons('Restart')])
  const { page } = await opened(id)
  const { page: other } = await opened(id)
  await choose(page, 'Approve')
  await choose(page, 'Restart')
  await questionOn(other, 'Release').getByText('You chose Approve').waitFor()
  await card(other, 'Worker').getByText('You pressed Restart').waitFor()
})

// What people with a role see and do on a channel's page, and what is left of it when the role ends.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buttons, input, question, text, toggle } from './support/api.ts'
import { findings } from './support/axe.ts'
import { choose, expectDescription, notesOf, questionOn } from './support/decisions.ts'
import { goOffline, replyBox } from './support/interactions.ts'
import { addPerson } from './support/people.ts'
import { api, createChannel, opened, server, session, setStage } from './support/stage.ts'
import { storedWith } from './support/stored.ts'
import { card, interactionStatus, KEEPING, keptForOffline, openChannel } from './support/visit.ts'

setStage()

const SECRET = 'the launch code is 0000'
const ONLY_VIEWING = 'You can view this channel. Ask Owner for the right to act.'
const TITLE = text('Release 2.5.0')

/** The channel in a window of a new person with this role. */
async function openAs(role: 'editor' | 'member' | 'viewer', channel: string, options = {}) {
  const person = await addPerson(server.workspace_id, role)
  const { page } = await person.visit(options)
  await openChannel(page, server, channel)
  return { page, ...person }
}

const isDisabled = (page: Page, label: string) => page.getByLabel(label, { exact: true }).isDisabled()

test('a viewer sees disabled controls, and whom to ask', async () => {
  const { id } = await createChannel(
    {},
    TITLE,
    input('ticket', 'Ticket'),
    toggle('notify', 'Notify', { send_on_change: true }),
    { type: 'select', id: 'region', label: 'Region', options: ['eu', 'us'] },
    { type: 'multiselect', id: 'teams', label: 'Teams', options: ['a', 'b'] },
    { ...question({}, 'Approve'), id: 'ask' },
    buttons('Acknowledge'),
  )
  await api.addAction(id, 'Freeze', 'secondary', 0)
  const { page, setRole } = await openAs('viewer', id)
  await page.getByText(ONLY_VIEWING).waitFor()
  expect(await replyBox(page).count()).toBe(0)
  for (const name of ['Approve', 'Acknowledge', 'Freeze']) {
    const button = page.getByRole('button', { name })
    expect({ name, disabled: await button.getAttribute('aria-disabled') }).toEqual({ name, disabled: 'true' })
    expect(await button.getAttribute('title')).toBe(ONLY_VIEWING)
    await button.click({ force: true })
  }
  for (const label of ['Ticket', 'Notify', 'Region', 'a'])
    expect({ label, disabled: await isDisabled(page, label) }).toEqual({ label, disabled: true })
  expect(await interactionStatus(page, 'waiting').count()).toBe(0)
  expect(await page.getByText('Needs you').count()).toBe(1) // The filter.
  expect(await findings(page)).toEqual([])

  await setRole('member')
  // As when the person comes back to the tab.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await replyBox(page).waitFor()
  await choose(page, 'Approve')
  await expectDescription(questionOn(page), 'You chose Approve')
})

test('members act by name, and only the owner and editors read replies', async () => {
  const { id } = await createChannel({}, TITLE, question({ who: 'members' }, 'Approve', 'Hold'))
  const { page } = await openAs('member', id)
  await replyBox(page).focus()
  await page.getByText('Acting as Mia').filter({ visible: true }).waitFor()
  await page.getByText('Only the owner and editors see this').waitFor()
  expect(await page.getByRole('button', { name: 'Replies' }).count()).toBe(0)
  await expectDescription(questionOn(page), 'Only members can decide You act as Mia')
  const { page: owner } = await opened(id)
  await choose(page, 'Hold')
  await expectDescription(questionOn(owner), /^Mia chose Hold/)
})

test('an editor has the controls of the owner', async () => {
  const { id } = await createChannel({}, TITLE)
  const { page } = await openAs('editor', id)
  await page.getByRole('button', { name: 'Replies' }).waitFor()
  await page.getByRole('button', { name: 'Channel menu' }).click()
  await page.getByRole('link', { name: 'Channel settings' }).click()
  await page.getByRole('heading', { name: 'A channel' }).waitFor()
})

test('people with a role see who is asked, also for a question that comes later', async () => {
  const ann = await addPerson(server.workspace_id, 'member', 'Ann')
  const bob = await addPerson(server.workspace_id, 'member', 'Bob')
  const who = [ann.user.email, bob.user.email]
  const { id } = await createChannel({}, TITLE, question({ who }, 'Approve'))
  const { page } = await openAs('viewer', id)
  await expectDescription(questionOn(page), 'Waiting for Ann and Bob')
  await api.push(id, [text('Release 2.6.0'), question({ who: [bob.user.email] }, 'Approve')])
  await expectDescription(questionOn(page, 'Release 2.6.0'), 'Waiting for Bob')
  const { page: asked } = await bob.visit()
  await openChannel(asked, server, id)
  await expectDescription(questionOn(asked, 'Release 2.6.0'), 'Waiting for Bob You act as Bob')
})

test('a person who is removed loses the page and everything of it on the device', async () => {
  const { id } = await createChannel({ name: 'Launches' }, text(SECRET), input('ticket', 'Ticket'))
  const { page, remove } = await openAs('member', id, KEEPING)
  await card(page, SECRET).waitFor()
  await page.getByLabel('Ticket').fill('CHG-2041')
  await keptForOffline(page)
  for (const trace of ['Launches', SECRET, 'CHG-2041', id])
    await expect.poll(() => storedWith(page, trace)).not.toEqual([])
  await remove()
  await page.getByRole('heading', { name: 'You don’t have access to this channel' }).waitFor()
  await page.getByText('Ask its owner to invite you.').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  for (const trace of ['Launches', SECRET, 'CHG-2041', id])
    await expect.poll(() => storedWith(page, trace)).toEqual([])
  await page.context().setOffline(true)
  await page.reload()
  await page.getByRole('heading', { name: 'Not on this device yet' }).waitFor()
})

test('what a removed person pressed offline is refused in words', async () => {
  const { id } = await createChannel({}, TITLE, question({}, 'Approve', 'Hold'))
  const { page, remove } = await openAs('member', id)
  await questionOn(page).waitFor()
  await goOffline(page)
  await choose(page, 'Approve')
  await questionOn(page).getByText('Approve will be sent when you are online.').waitFor()
  await remove()
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'You don’t have access to this channel' }).waitFor()
  const notes = page.getByRole('list', { name: 'Your interactions' })
  await notes.getByText('You no longer have access. Your Approve did not count.').waitFor()
})

test('a press after the role was lowered is refused, and the controls follow', async () => {
  const { id } = await createChannel({}, TITLE, question({}, 'Approve', 'Hold'))
  const { page, setRole } = await openAs('member', id)
  await questionOn(page).waitFor()
  await setRole('viewer')
  await choose(page, 'Approve')
  await expect
    .poll(() => notesOf(questionOn(page)).allTextContents())
    .toEqual(['You no longer have access. Your Approve did not count.'])
  await page.getByText(ONLY_VIEWING).waitFor()
})

test('a session that ends takes what only the role showed, in a protected workspace too', async () => {
  await session('PATCH', `/workspaces/${server.workspace_id}`, {
    visibility: 'protected',
    password: 'a long password',
  })
  const { id } = await createChannel({}, text(SECRET))
  const { page } = await openAs('viewer', id)
  await card(page, SECRET).waitFor()
  await expect.poll(() => storedWith(page, SECRET)).not.toEqual([])
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Live feeds' }).waitFor()
  await expect.poll(() => storedWith(page, SECRET)).toEqual([])
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'private' })
})

test('a session that ends takes the names of chosen people, also where everybody may see the rest', async () => {
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'public' })
  const asked = await addPerson(server.workspace_id, 'member', 'Zacharias')
  const { id } = await createChannel({}, text(SECRET), question({ who: [asked.user.email] }, 'Approve'))
  const { page } = await openAs('viewer', id)
  await page.getByText('Waiting for Zacharias').waitFor()
  await page.goto('about:blank')
  await page.context().clearCookies()
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Live feeds' }).waitFor()
  await expect.poll(() => storedWith(page, 'Zacharias')).toEqual([])
  expect(await storedWith(page, SECRET)).not.toEqual([])
  await session('PATCH', `/workspaces/${server.workspace_id}`, { visibility: 'private' })
})

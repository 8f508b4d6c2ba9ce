// The page of an invite's link, from every side: without an account, with the wrong one, and after the invite has ended.
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { text } from './support/api.ts'
import { findings } from './support/axe.ts'
import { enterCredentials } from './support/page.ts'
import { addPerson, inviteTo } from './support/people.ts'
import { failWith, hold } from './support/requests.ts'
import { makeUser } from './support/session.ts'
import { api, openAsGuest, server, session, setStage, signedIn } from './support/stage.ts'
import { linkStatus, PHONE } from './support/visit.ts'
import { makeWorkspace, type TestWorkspace } from './support/workspaces.ts'

setStage()

let workspace: TestWorkspace

beforeAll(async () => {
  workspace = await makeWorkspace('Acme', { channels: ['Deploys'] })
  await api.push(workspace.ids[0] ?? '', [text('Build 7 is ready')])
})

const joinButton = (page: Page, role = 'Editor') => page.getByRole('button', { name: `Join as ${role}` })

/** Waits until the page of the workspace is there. */
async function isIn(page: Page, role: string): Promise<void> {
  await page.waitForURL(workspace.url)
  await linkStatus(page, 'live')
  await page.getByText(`You’re in Acme as ${role}`).waitFor()
}

/** Opens a link, and waits until the invite is there. Addresses that the page has afterwards have no token. */
async function openInvite(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await page.getByRole('heading', { name: 'Join Acme' }).waitFor()
  expect(page.url()).toBe(`${server.url}/join`)
}

test('a colleague without an account joins on a phone, and asks no server with the token in the address', async () => {
  const link = await inviteTo(workspace.id, 'editor')
  const { page } = await openAsGuest('/docs', PHONE)
  const token = new URL(link).hash.slice(1)
  const addresses: string[] = []
  page.on('request', request => addresses.push(request.url()))
  await openInvite(page, link)
  await page.getByText('Owner invited you.').waitFor()
  expect(await findings(page, 'narrow')).toEqual([])
  await page.reload()
  await page.getByRole('link', { name: 'Create an account' }).tap()
  await page.getByLabel('Name').fill('Cleo')
  await page.getByLabel('E-mail').fill('cleo@example.com')
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).tap()
  await isIn(page, 'Editor')
  expect(addresses.filter(address => address.includes(token))).toEqual([])
  expect(await page.evaluate(() => sessionStorage.getItem('invite'))).toBe(null)
  await page.goto(server.url)
  await page.getByRole('heading', { name: 'Shared with you' }).waitFor()
})

test('a person with an account signs in, comes back and joins with one press', async () => {
  const user = await makeUser(server, 'Bob')
  const { page } = await openAsGuest('/docs')
  await openInvite(page, await inviteTo(workspace.id, 'member'))
  await page.getByRole('link', { name: 'Sign in' }).click()
  await enterCredentials(page, user.email, user.password)
  await page.getByText(`You’re signed in as Bob (${user.email})`).waitFor()
  await joinButton(page, 'Member').press('Enter')
  await isIn(page, 'Member')
})

test('nothing is joined before the press, and a press counts once', async () => {
  const user = await makeUser(server, 'Dan')
  const { page } = await signedIn({}, user)
  await openInvite(page, await inviteTo(workspace.id, 'viewer', { uses: 5 }))
  expect(await workspacesOf(page)).toEqual([])
  const response = await hold(page, '**/invites/accept', 'POST')
  let sent = 0
  page.on('request', request => {
    if (request.url().endsWith('/invites/accept')) sent++
  })
  await joinButton(page, 'Viewer').click()
  await page.getByRole('button', { name: 'Joining…' }).click({ force: true })
  response.release()
  await isIn(page, 'Viewer')
  expect(sent).toBe(1)
  expect(await workspacesOf(page)).toEqual(['Acme'])
})

const workspacesOf = async (page: Page) => {
  const list = await (await page.context().request.get(`${server.url}/api/workspaces`)).json()
  return list.map(({ name }: { name: string }) => name)
}

test('an invite for another address says so, and the right account can take it', async () => {
  const [wrong, right] = [await makeUser(server, 'Eve'), await makeUser(server, 'Ann')]
  const link = await inviteTo(workspace.id, 'editor', { email: right.email })
  const { page } = await signedIn({}, wrong)
  await page.goto(link)
  await page.getByRole('heading', { name: 'This invite is for another account' }).waitFor()
  await page.getByText(`It’s for ${right.email}. You’re signed in as ${wrong.email}.`).waitFor()
  expect(await joinButton(page).count()).toBe(0)
  expect(await findings(page)).toEqual([])
  await page.getByRole('button', { name: 'Sign out and switch accounts' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe(right.email)
  await enterCredentials(page, right.email, right.password)
  await joinButton(page).click()
  await isIn(page, 'Editor')
})

test('an account that is created with another address creates nothing, and says why', async () => {
  const { page } = await openAsGuest('/docs')
  await openInvite(page, await inviteTo(workspace.id, 'member', { email: 'fay@example.com' }))
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByLabel('Name').fill('Fay')
  await expect.poll(() => page.getByLabel('E-mail').inputValue()).toBe('fay@example.com')
  await page.getByLabel('E-mail').fill('not-fay@example.com')
  await page.getByLabel('Password').fill('a long password')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByText('This invite is for another e-mail address').waitFor()
  await page.getByLabel('E-mail').fill('fay@example.com')
  await page.getByRole('button', { name: 'Create account' }).click()
  await isIn(page, 'Member')
})

test('an invite that has ended is no longer valid, also if it ends while the page is open', async () => {
  const user = await makeUser(server, 'Gil')
  const { page } = await signedIn({}, user)
  await page.goto(`${server.url}/join#not-a-token`)
  await page.getByRole('heading', { name: 'This invite is no longer valid' }).waitFor()
  expect(await findings(page)).toEqual([])
  const link = await inviteTo(workspace.id, 'editor')
  await openInvite(page, link)
  const invites = `/workspaces/${workspace.id}/invites`
  for (const { id } of await session<{ id: string }[]>('GET', invites))
    await session('DELETE', `${invites}/${id}`)
  await joinButton(page).click()
  await page.getByRole('heading', { name: 'This invite is no longer valid' }).waitFor()
  await page.getByRole('link', { name: 'Go home' }).click()
  await page.getByRole('heading', { name: 'Create your first workspace' }).waitFor()
})

test('a link without a token is no longer valid', async () => {
  const { page } = await openAsGuest('/join')
  await page.getByRole('heading', { name: 'This invite is no longer valid' }).waitFor()
})

test('a member who opens a link again comes to the workspace, whether the invite has ended or not', async () => {
  const link = await inviteTo(workspace.id, 'member')
  const { user } = await addPerson(workspace.id, 'member', 'Hal', link)
  const { page } = await signedIn({}, user)
  await page.goto(link)
  await isIn(page, 'Member')

  await openInvite(page, await inviteTo(workspace.id, 'viewer'))
  await joinButton(page, 'Viewer').click()
  await isIn(page, 'Member')
})

test('without a connection the invite can be tried again', async () => {
  const link = await inviteTo(workspace.id, 'member')
  const { page } = await openAsGuest('/docs')
  await page.route('**/api/invites/preview', route => route.abort())
  await page.goto(link)
  await page.getByRole('heading', { name: 'The invite can’t be loaded' }).waitFor()
  expect(await findings(page)).toEqual([])
  await page.unroute('**/api/invites/preview')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Join Acme' }).waitFor()
})

test('a workspace that is full says so', async () => {
  const { page } = await signedIn({}, await makeUser(server, 'Ida'))
  await openInvite(page, await inviteTo(workspace.id, 'member'))
  await page.route('**/api/invites/accept', failWith('member_limit'))
  await joinButton(page, 'Member').click()
  await page.getByRole('alert').getByText('This workspace is full').waitFor()
})

test('another link in the same tab shows its own invite', async () => {
  const { page } = await signedIn({}, await makeUser(server, 'Jo'))
  await openInvite(page, await inviteTo(workspace.id, 'member'))
  const other = await makeWorkspace('Initech')
  const link = await inviteTo(other.id, 'viewer')
  // Only the fragment differs, so the page isn't loaded again.
  await page.evaluate(link => location.assign(link), link)
  await page.getByRole('heading', { name: 'Join Initech' }).waitFor()
  expect(page.url()).toBe(`${server.url}/join`)
})

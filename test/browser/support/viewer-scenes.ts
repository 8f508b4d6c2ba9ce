// The pages that viewers have, those before a sign-in and the API reference, for the screenshots.
import type { Page } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'
import { type Api, text } from './api.ts'
import { interactionStatus, keptForOffline, linkStatus, openChannel, scrollFeed } from './visit.ts'

export type ViewerScene = {
  name: string
  signedIn: boolean
  show: (page: Page) => Promise<void>
  whole?: boolean
  full?: boolean
}

export function viewerScenes(
  server: TestServer,
  api: Api,
  channels: { full: string; empty: string; long: string; acts: string },
): ViewerScene[] {
  const open = (path: string) => (page: Page) => page.goto(server.url + path).then(() => undefined)
  return [
    { name: 'channel', signedIn: true, whole: true, show: page => openChannel(page, server, channels.full) },
    {
      name: 'channel-focus',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.full)
        await page.getByRole('article').first().waitFor()
        for (let i = 0; i < 3; i++) await page.keyboard.press('j')
        await page.locator('article:focus').waitFor()
      },
    },
    {
      name: 'palette',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.long)
        await openChannel(page, server, channels.full)
        await page.getByRole('button', { name: 'Search and jump' }).click()
        await page.getByRole('option', { name: 'Payments' }).first().waitFor()
      },
    },
    {
      name: 'palette-found',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.full)
        await page.keyboard.press('Control+k')
        await page.getByRole('combobox', { name: 'Search channels' }).fill('new')
        await page.getByRole('option', { name: 'New workspace' }).waitFor()
        await page.keyboard.press('ArrowDown')
      },
    },
    {
      name: 'shortcuts',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.full)
        await page.keyboard.press('?')
        await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
      },
    },
    {
      name: 'new-version',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.long)
        await keptForOffline(page)
        await page.reload()
        await linkStatus(page, 'live')
        await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
        await page.getByText('A new version is ready').waitFor()
      },
    },
    { name: 'channel-empty', signedIn: true, show: page => openChannel(page, server, channels.empty) },
    {
      name: 'channel-new-cards',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.long)
        await scrollFeed(page, 900)
        await api.push(channels.long, [text('Arrived while you read')])
        await page.getByRole('button', { name: 'new card' }).waitFor()
      },
    },
    {
      name: 'channel-offline',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.full)
        await page.getByRole('article').first().waitFor()
        await keptForOffline(page)
        await page.context().setOffline(true)
        await linkStatus(page, 'offline')
      },
    },
    {
      name: 'acts',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.acts)
        await page.getByRole('button', { name: 'Acknowledge' }).click()
        await interactionStatus(page, 'delivered').waitFor()
        await page.getByRole('button', { name: 'Approve' }).click()
        await page.getByLabel('Notify the team').check()
        await page.getByRole('textbox', { name: 'Reply' }).fill('On it. I look at the queue first.')
        await page.getByRole('textbox', { name: 'Reply' }).press('Enter')
        await page.getByRole('button', { name: 'Restart' }).click()
        await interactionStatus(page, 'failed').waitFor()
      },
    },
    {
      name: 'acts-waiting',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.acts)
        await page.getByRole('article').first().waitFor()
        await keptForOffline(page)
        await page.context().setOffline(true)
        await linkStatus(page, 'offline')
        await page.getByLabel('Change ticket').fill('CHG-2041')
        await page.getByRole('button', { name: 'Approve' }).click()
        await page.getByLabel('Notify the team').check()
        await page.getByRole('button', { name: 'Freeze' }).click()
        await page.getByRole('textbox', { name: 'Reply' }).fill('I am on a train, but this can go out.')
        await page.getByRole('textbox', { name: 'Reply' }).press('Enter')
        await page
          .locator('[data-link="offline"]')
          .getByText(/4.* waiting/)
          .waitFor()
      },
    },
    {
      name: 'acts-refused',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.acts)
        await page.route('**/interactions', route =>
          route.request().postData()?.includes('"reply"')
            ? route.fulfill({ status: 403, json: { error: 'Channel is not interactive' } })
            : route.fulfill({ status: 404, json: { error: 'Button not found' } }),
        )
        await page.getByRole('button', { name: 'Acknowledge' }).click()
        await page.getByRole('textbox', { name: 'Reply' }).fill('A reply that is not taken')
        await page.getByRole('textbox', { name: 'Reply' }).press('Enter')
        await page.getByRole('button', { name: 'Edit' }).waitFor()
      },
    },
    {
      name: 'acts-confirm',
      signedIn: true,
      async show(page) {
        await openChannel(page, server, channels.acts)
        await page.getByRole('button', { name: 'Delete' }).click()
        await page.getByRole('alertdialog').waitFor()
      },
    },
    {
      name: 'channel-fresh-offline',
      signedIn: false,
      async show(page) {
        await page.goto(server.url)
        await keptForOffline(page)
        await page.context().setOffline(true)
        await page.goto(`${server.url}/c/${channels.full}`)
        await linkStatus(page, 'offline')
      },
    },
    { name: 'channel-private', signedIn: false, show: open(`/c/${channels.full}`) },
    { name: 'channel-missing', signedIn: true, show: open('/c/3f1c1b0e-0000-4000-8000-000000000000') },
    {
      name: 'channel-password',
      signedIn: false,
      async show(page) {
        const refusal = { error: 'Password required', workspace_id: server.workspace_id }
        await page.route('**/view', route => route.fulfill({ status: 401, json: refusal }))
        await page.goto(`${server.url}/c/${channels.full}`)
      },
    },
    { name: 'home', signedIn: true, show: open('/') },
    { name: 'home-signed-out', signedIn: false, show: open('/') },
    {
      name: 'sign-in',
      signedIn: false,
      async show(page) {
        await page.goto(`${server.url}/sign-in`)
        await page.getByLabel('E-mail').fill('owner@example.com')
        await page.getByLabel('Password').fill('wrong')
        await page.getByRole('button', { name: 'Sign in' }).click()
        await page.getByRole('alert').first().waitFor()
      },
    },
    { name: 'sign-up', signedIn: false, show: open('/sign-up') },
    { name: 'not-found', signedIn: false, show: open('/nowhere') },
    {
      name: 'reference',
      signedIn: false,
      async show(page) {
        await page.goto(`${server.url}/api/v1/docs`)
        await page.locator('.opblock').first().waitFor()
      },
    },
    {
      name: 'reference-operation',
      signedIn: false,
      async show(page) {
        await page.goto(`${server.url}/api/v1/docs#/Cards/createCard`)
        await page.locator('.opblock.is-open .responses-wrapper').waitFor()
      },
    },
    {
      name: 'reference-answer',
      signedIn: false,
      async show(page) {
        await page.goto(`${server.url}/api/v1/docs#/Cards/createCard`)
        const operation = page.locator('.opblock.is-open')
        await operation.getByPlaceholder('channelId').fill(channels.empty)
        await operation.getByRole('button', { name: 'Execute' }).click()
        const answer = operation.locator('.live-responses-table')
        await answer.getByText('401').first().waitFor()
        await answer.scrollIntoViewIfNeeded()
      },
    },
    {
      name: 'reference-key',
      signedIn: false,
      async show(page) {
        await page.goto(`${server.url}/api/v1/docs`)
        await page.locator('.btn.authorize').click()
        await page.locator('.modal-ux input').waitFor()
      },
    },
  ]
}

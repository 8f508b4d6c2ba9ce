// The pages of viewers, those before a sign-in, and the API reference.
import type { Page } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'
import { accountScenes } from './account-scenes.ts'
import { type Api, text } from './api.ts'
import { decisionScenes } from './decision-scenes.ts'
import { pushHostile } from './hostile.ts'
import { delivered, reply } from './interactions.ts'
import { enterCredentials, press } from './page.ts'
import { failWith } from './requests.ts'
import { guest, keepAndGoOffline, owner, type Scene, UNKNOWN_ID } from './scenes.ts'
import { interactionStatus, keptForOffline, linkStatus, openChannel, scrollFeed } from './visit.ts'

type Channels = { full: string; empty: string; long: string; interactive: string }

export function viewerScenes(server: TestServer, api: Api, channels: Channels): Scene[] {
  return [
    ...channelScenes(server, api, channels),
    ...interactionScenes(server, channels.interactive),
    ...decisionScenes(server, api),
    ...entryScenes(server, channels.full),
    ...accountScenes(server),
    ...referenceScenes(server, channels.empty),
  ]
}

function channelScenes(server: TestServer, api: Api, { full, empty, long }: Channels): Scene[] {
  const open = (page: Page, channel: string) => openChannel(page, server, channel)
  return [
    owner('channel', page => open(page, full), { rest: true }),
    owner('channel-focus', async page => {
      await open(page, full)
      await page.getByRole('article').first().waitFor()
      for (let i = 0; i < 3; i++) await page.keyboard.press('j')
      await page.locator('article:focus').waitFor()
    }),
    owner('palette', async page => {
      await open(page, long)
      await open(page, full)
      await press(page, 'Search this channel')
      await page.getByRole('option', { name: 'Payments' }).first().waitFor()
    }),
    owner('palette-found', async page => {
      await open(page, full)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search c' }).fill('new')
      await page.getByRole('option', { name: 'New workspace' }).waitFor()
      await page.keyboard.press('ArrowDown')
    }),
    owner('shortcuts', async page => {
      await open(page, full)
      await page.keyboard.press('?')
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    }),
    owner('new-version', async page => {
      await open(page, long)
      await keptForOffline(page)
      await page.reload()
      await linkStatus(page, 'live')
      await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event('controllerchange')))
      await page.getByText('A new version is ready').waitFor()
    }),
    owner(
      'channel-hostile',
      async page => {
        const { id } = await api.createChannel('Hostile')
        await pushHostile(api, id)
        await open(page, id)
      },
      { rest: true },
    ),
    owner('channel-empty', page => open(page, empty)),
    owner('channel-new-cards', async page => {
      await open(page, long)
      await scrollFeed(page, 500)
      await api.push(long, [text('Arrived while you read')])
      await page.getByRole('button', { name: 'new card' }).waitFor()
    }),
    owner('channel-offline', async page => {
      await open(page, full)
      await page.getByRole('article').first().waitFor()
      await keepAndGoOffline(page)
    }),
  ]
}

function interactionScenes(server: TestServer, channel: string): Scene[] {
  const scene = (name: string, show: (page: Page) => Promise<unknown>) =>
    owner(`interactions${name}`, async page => {
      await openChannel(page, server, channel)
      await show(page)
    })
  return [
    scene('', async page => {
      await press(page, 'Acknowledge')
      await delivered(page)
      await press(page, 'Approve')
      await page.getByLabel('Notify the team').check()
      await reply(page, 'On it. I look at the queue first.')
      await press(page, 'Restart')
      await interactionStatus(page, 'failed').waitFor()
    }),
    scene('-replies', async page => {
      await reply(page, 'Looks like the provider: https://status.example.com went yellow.')
      await press(page, 'Replies')
      await page.getByText('went yellow').last().waitFor()
    }),
    scene('-waiting', async page => {
      await page.getByRole('article').first().waitFor()
      await keepAndGoOffline(page)
      await page.getByLabel('Change ticket').fill('CHG-2041')
      await press(page, 'Approve')
      await page.getByLabel('Notify the team').check()
      await press(page, 'Freeze')
      await reply(page, 'I am on a train, but this can go out.')
      const status = page.locator('[data-link="offline"]')
      await status.getByText(/4.* waiting/).waitFor()
    }),
    scene('-rejected', async page => {
      await page.route('**/interactions', route =>
        route.request().postData()?.includes('"reply"')
          ? failWith('channel_not_interactive')(route)
          : failWith('button_not_found')(route),
      )
      await press(page, 'Acknowledge')
      await reply(page, 'A reply that is not accepted')
      await page.getByRole('button', { name: 'Edit' }).waitFor()
    }),
    scene('-confirm', async page => {
      await press(page, 'Delete')
      await page.getByRole('alertdialog').waitFor()
    }),
  ]
}

function entryScenes(server: TestServer, channel: string): Scene[] {
  const open = (path: string, heading: string) => async (page: Page) => {
    await page.goto(server.url + path)
    await page.getByRole('heading', { name: heading }).first().waitFor()
  }
  return [
    guest('channel-fresh-offline', async page => {
      await page.goto(server.url)
      await keptForOffline(page)
      await page.context().setOffline(true)
      await page.goto(`${server.url}/c/${channel}`)
      await linkStatus(page, 'offline')
    }),
    guest('channel-private', open(`/c/${channel}`, 'This channel is private')),
    owner('channel-missing', open(`/c/${UNKNOWN_ID}`, 'Channel not found')),
    guest('channel-password', async page => {
      await page.route('**/view', failWith('password_required', { workspace_id: server.workspace_id }))
      await page.goto(`${server.url}/c/${channel}`)
    }),
    owner('home', open('/', 'Channels')),
    guest('home-signed-out', open('/', 'Live feeds for your automations')),
    guest('sign-in', open('/sign-in', 'Sign in')),
    guest('sign-in-error', async page => {
      await page.goto(`${server.url}/sign-in`)
      await enterCredentials(page, 'owner@example.com', 'wrong')
      await page.getByRole('alert').first().waitFor()
    }),
    guest('sign-up', open('/sign-up', 'Create an account')),
    guest('not-found', open('/nowhere', 'Page not found')),
  ]
}

function referenceScenes(server: TestServer, channel: string): Scene[] {
  const scene = (name: string, hash: string, show: (page: Page) => Promise<unknown>) =>
    guest(`reference${name}`, async page => {
      await page.goto(`${server.url}/docs${hash}`)
      await page.getByRole('heading', { name: 'API reference' }).waitFor()
      await show(page)
    })
  return [
    scene('', '', page => page.getByRole('heading', { name: 'Repeating a request' }).waitFor()),
    scene('-operation', '#createCard', async page => {
      await page.locator('.ref-middle summary').first().click()
      await page.locator('.ref-response summary').first().click()
    }),
    scene('-response', '#createCard', async page => {
      await page.getByLabel('channelId').fill(channel)
      await page.getByLabel('API key', { exact: true }).fill('cf_revoked')
      await page.getByRole('button', { name: 'Send request' }).click()
      const response = page.getByRole('region', { name: 'Response', exact: true })
      await response.getByText('Unauthorized').waitFor()
      await response.scrollIntoViewIfNeeded()
    }),
    scene('-webhook', '#receiveInteraction', page => page.getByText('webhook-signature').first().waitFor()),
  ]
}

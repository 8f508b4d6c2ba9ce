// Runs axe-core on every page and dialog, light and dark, wide and narrow, and checks that text of twice the size fits.
// A new page is one line in `places`, or a scene in support/dashboard-scenes.ts.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LAYOUTS } from '../../shared/workspace.ts'
import { text } from './support/api.ts'
import { findings, fits } from './support/axe.ts'
import { prepareDashboard } from './support/dashboard-data.ts'
import { type DashboardScene, dashboardScenes } from './support/dashboard-scenes.ts'
import { api, browser, server, stageDashboard } from './support/dashboard-stage.ts'
import { pushActs, pushShowcase } from './support/showcase.ts'
import { card, interactionStatus, linkStatus, openChannel, signIn, visit } from './support/visit.ts'
import { makeWorkspaces, openWorkspace } from './support/workspaces.ts'

type Place = Pick<DashboardScene, 'signedIn' | 'show'>

const SIZES = { wide: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } }

stageDashboard({ DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', WORKSPACE_LIMIT: '0' })

let places: Record<string, Place>
let stop: () => Promise<void>

beforeAll(async () => {
  const [full, acts, empty] = [await channel('Showcase'), await channel('Acts'), await channel('Empty')]
  await pushShowcase(api, full)
  await pushActs(api, acts)
  const dashboard = await prepareDashboard(server, api)
  stop = dashboard.stop
  const scenes = dashboardScenes(server, dashboard).map((scene): [string, Place] => [scene.name, scene])
  places = {
    ...Object.fromEntries(scenes),
    'a channel': owner(page => openChannel(page, server, full)),
    'a channel after a card came': owner(async page => {
      await openChannel(page, server, acts)
      await api.push(acts, [text('Just arrived')], 'warning')
      await card(page, 'Just arrived').first().waitFor()
    }),
    'a card with the focus': owner(async page => {
      await openChannel(page, server, full)
      await page.keyboard.press('j')
      await page.locator('article:focus').waitFor()
    }),
    ...Object.fromEntries(await layouts()),
    'an empty channel': owner(page => openChannel(page, server, empty)),
    'a question': owner(async page => {
      await openChannel(page, server, acts)
      await page.getByRole('button', { name: 'Delete' }).click()
      await page.getByRole('alertdialog').waitFor()
    }),
    'an act that was sent': owner(async page => {
      await openChannel(page, server, acts)
      await page.getByRole('button', { name: 'Acknowledge' }).click()
      await interactionStatus(page, 'sent').getByText('just now').waitFor()
    }),
    'a channel without a network': owner(async page => {
      await openChannel(page, server, full)
      await page.context().setOffline(true)
      await linkStatus(page, 'offline')
    }),
    'a refused channel': guest(`/c/${full}`, 'This channel is private'),
    'a missing channel': guest('/c/3f1c1b0e-0000-4000-8000-000000000000', 'There is no such channel'),
    'the palette': owner(async page => {
      await openChannel(page, server, full)
      await page.getByRole('button', { name: 'Search and jump' }).click()
      await page.getByRole('option', { name: 'Payments alerts' }).first().waitFor()
    }),
    'the palette without a result': owner(async page => {
      await openChannel(page, server, full)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search channels' }).fill('zzzz')
      await page.getByText('Nothing is called').waitFor()
    }),
    'the shortcuts': owner(async page => {
      await openChannel(page, server, full)
      await page.keyboard.press('?')
      await page.getByRole('heading', { name: 'Keyboard shortcuts' }).waitFor()
    }),
    'home, signed out': guest('/', 'Live feeds for your automations'),
    'sign in': guest('/sign-in', 'Sign in'),
    'sign up': guest('/sign-up', 'Create an account'),
    'nothing here': guest('/nowhere', 'Page not found'),
  }
})

afterAll(() => stop?.())

/** The page of a workspace in each layout, with filters, labels and cards. */
async function layouts(): Promise<[string, Place][]> {
  const { make, session } = await makeWorkspaces(server)
  return Promise.all(
    LAYOUTS.map(async (layout): Promise<[string, Place]> => {
      const workspace = await make(`As ${layout}`, { layout })
      for (const name of ['Deploys', 'Alerts']) {
        const id = await workspace.addChannel(name)
        await session('PUT', `/channels/${id}/attributes`, { team: name })
        await api.push(id, [text(`A card of ${name}`)])
      }
      await workspace.showAttribute('team', { use_as_filter: true, show_in_sidebar: true })
      return [`a workspace as ${layout}`, owner(page => openWorkspace(page, workspace))]
    }),
  )
}

async function channel(name: string): Promise<string> {
  return (await api.createChannel(name, { description: 'With a link: https://example.com' })).id
}

const owner = (show: Place['show']): Place => ({ signedIn: true, show })

const guest = (path: string, heading: string): Place => ({
  signedIn: false,
  async show(page) {
    await page.goto(server.url + path)
    await page.getByRole('heading', { name: heading }).waitFor()
  },
})

async function look(page: Page, { signedIn, show }: Place): Promise<Page> {
  // Elements that move in would be measured on their way.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  if (signedIn) await signIn(page, server)
  await show(page)
  return page
}

test.each(Object.entries(SIZES))(
  'on a %s screen axe finds nothing, and nothing is cut off',
  async (size, viewport) => {
    const found: Record<string, string[]> = {}
    for (const [name, place] of Object.entries(places)) {
      const phone = size === 'phone'
      const { page } = await visit(browser, {
        viewport,
        hasTouch: phone,
        isMobile: phone,
        colorScheme: 'light',
      })
      await look(page, place)
      const problems = await findings(page)
      // A narrow page has the colours of a wide one.
      if (!phone) {
        await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
        problems.push(...(await findings(page, true)).map(problem => `dark: ${problem}`))
      }
      if (!(await fits(page))) problems.push('does not fit')
      await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
      if (!(await fits(page))) problems.push('does not fit with text of 200 %')
      if (problems.length > 0) found[name] = problems
      await page.context().close()
    }
    expect(found).toEqual({})
  },
  600_000,
)

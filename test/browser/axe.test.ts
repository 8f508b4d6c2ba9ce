// Runs axe-core on every page and dialog, light and dark, wide and narrow. Also checks that text of twice the size fits, and
// that controls on a phone are at least 44 px high.
// A new page is a scene in support/: the name of a viewer's scene goes into the list below.
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LAYOUTS } from '../../shared/workspace.ts'
import { text } from './support/api.ts'
import { findings, fits } from './support/axe.ts'
import { prepareDashboard } from './support/dashboard-data.ts'
import { dashboardScenes } from './support/dashboard-scenes.ts'
import { doneButton, goOffline } from './support/interactions.ts'
import { press, smallTargets } from './support/page.ts'
import { peopleScenes } from './support/people-scenes.ts'
import { owner, type Scene } from './support/scenes.ts'
import { pushInteractive, pushShowcase } from './support/showcase.ts'
import { api, browser, server, session, setStage } from './support/stage.ts'
import { viewerScenes } from './support/viewer-scenes.ts'
import { card, openChannel, PHONE, signIn, visit } from './support/visit.ts'
import { makeWorkspace, openWorkspace } from './support/workspaces.ts'

const VIEWER_SCENES = [
  'channel',
  'channel-focus',
  'channel-empty',
  'channel-hostile',
  'channel-private',
  'channel-missing',
  'interactions-confirm',
  'interactions-replies',
  'decisions',
  'decisions-agents',
  'palette',
  'shortcuts',
  'home-signed-out',
  'sign-in',
  'sign-up',
  'sign-in-either',
  'sign-in-provider',
  'sign-in-denied',
  'sign-in-link',
  'reset',
  'reset-void',
  'not-found',
  'reference',
  'reference-operation',
  'reference-response',
  'reference-webhook',
]

setStage()

let scenes: Scene[]
let stop: () => Promise<void>

beforeAll(async () => {
  const [full, interactive, empty] = [
    await channel('Showcase'),
    await channel('Try it'),
    await channel('Empty'),
  ]
  await pushShowcase(api, full)
  await pushInteractive(api, interactive)
  const dashboard = await prepareDashboard(server, api)
  stop = dashboard.stop
  const viewers = viewerScenes(server, api, { full, interactive, empty, long: interactive })
  scenes = [
    ...dashboardScenes(server, dashboard),
    ...(await peopleScenes(server)),
    ...viewers.filter(({ name }) => VIEWER_SCENES.includes(name)),
    owner('a channel after a card came', async page => {
      await openChannel(page, server, interactive)
      await api.push(interactive, [text('Just arrived')], 'warning')
      await card(page, 'Just arrived').first().waitFor()
    }),
    ...(await layouts()),
    owner('an interaction that was sent', async page => {
      await openChannel(page, server, interactive)
      await press(page, 'Acknowledge')
      await doneButton(page, 'Acknowledge').waitFor()
    }),
    owner('a channel without a network', async page => {
      await openChannel(page, server, full)
      await goOffline(page)
    }),
    owner('the palette without a result', async page => {
      await openChannel(page, server, full)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search c' }).fill('zzzz')
      await page.getByText('No results for').waitFor()
    }),
  ]
})

afterAll(() => stop?.())

/** The page of a workspace in each layout, with filters, labels and cards. */
function layouts(): Promise<Scene[]> {
  return Promise.all(
    LAYOUTS.map(async layout => {
      const workspace = await makeWorkspace(`As ${layout}`, { layout })
      for (const name of ['Deploys', 'Alerts']) {
        const id = await workspace.addChannel(name)
        await session('PUT', `/channels/${id}/attributes`, { team: name })
        await api.push(id, [text(`A card of ${name}`)])
      }
      await workspace.showAttribute('team', { use_as_filter: true, show_in_sidebar: true })
      return owner(`a workspace as ${layout}`, page => openWorkspace(page, workspace))
    }),
  )
}

async function channel(name: string): Promise<string> {
  return (await api.createChannel(name, { description: 'With a link: https://example.com' })).id
}

async function look(page: Page, { signedIn, show }: Scene): Promise<void> {
  // Elements that move in would be measured on their way.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  if (signedIn) await signIn(page, server.url, server.owner)
  await show(page)
  // Where a scene happens to stop scrolling, a sticky bar may cover half a control.
  await page.evaluate(() => scrollTo(0, 0))
}

test('axe finds nothing, nothing is cut off, and fingers can hit every control', async () => {
  const found: Record<string, string[]> = {}
  for (const scene of scenes) {
    const { page } = await visit(browser, { viewport: { width: 1280, height: 900 }, colorScheme: 'light' })
    await look(page, scene)
    const problems = [...(await findings(page)), ...(await cutOff(page))]
    await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
    problems.push(...(await findings(page, 'colours')).map(problem => `dark: ${problem}`))
    await becomePhone(page)
    problems.push(...(await findings(page, 'narrow')), ...(await cutOff(page)))
    const small = await smallTargets(page)
    problems.push(...small.map(({ name, height }) => `only ${height} px high: ${name}`))
    if (problems.length > 0) found[scene.name] = problems
    await page.context().close()
  }
  expect(found).toEqual({})
}, 900_000)

async function cutOff(page: Page): Promise<string[]> {
  const problems: string[] = []
  if (!(await fits(page))) problems.push('does not fit')
  const setSize = (size: string) =>
    page.evaluate(size => document.documentElement.style.setProperty('font-size', size), size)
  await setSize('200%')
  if (!(await fits(page))) problems.push('does not fit with text of 200 %')
  await setSize('')
  return problems
}

/** Turns the window into a phone's, which is quicker than a second visit. */
async function becomePhone(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  const { viewport, isMobile: mobile } = PHONE
  await devtools.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 1 })
  await devtools.send('Emulation.setDeviceMetricsOverride', { ...viewport, mobile, deviceScaleFactor: 1 })
  await page.waitForFunction(
    width => innerWidth === width && matchMedia('(hover: none)').matches,
    viewport.width,
  )
}

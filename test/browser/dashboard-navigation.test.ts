// Finding one's way in the dashboard: the sections of a page, and the workspaces with their channels.
import { expect, test } from 'vitest'
import { openSettings } from './support/settings.ts'
import { api, open, server, setStage } from './support/stage.ts'

setStage()

test('each section is current at its place, also the last one at the end of the page', async () => {
  const { page } = await openSettings()
  const current = page.getByRole('navigation', { name: 'On this page' }).locator('[aria-current]')
  await expect.poll(() => current.textContent()).toBe('General')
  // The page grows while its parts load.
  const currentAtEnd = async () => {
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
    return current.textContent()
  }
  await expect.poll(currentAtEnd).toBe('Danger zone')
  await page.getByRole('link', { name: 'Header actions' }).click()
  await expect.poll(() => current.textContent()).toBe('Header actions')
})

test('scrolling marks the sections one after another, and an address marks the section it names', async () => {
  const { id, page } = await openSettings({ webhook_url: 'https://example.com/hook' })
  const current = page.getByRole('navigation', { name: 'On this page' }).locator('[aria-current]')
  const titles = ['General', 'Header actions', 'Attributes', 'Webhook', 'Danger zone']
  await page.setViewportSize({ width: 1280, height: 500 })
  await page.getByText('No attributes yet').waitFor()
  const marked = await page.evaluate(async () => {
    const seen: string[] = []
    const frame = () => new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    for (let y = 0; y <= document.documentElement.scrollHeight; y += 40) {
      scrollTo(0, y)
      await frame()
      seen.push(document.querySelector('.anchors [aria-current]')?.textContent ?? '')
    }
    return seen
  })
  expect([...new Set(marked)]).toEqual(titles)
  expect(marked.at(-1)).toBe('Danger zone')

  for (const title of ['Webhook', 'Attributes']) {
    await page.goto(`${server.url}/dashboard/channels/${id}#${title.toLowerCase()}`)
    await expect.poll(() => current.textContent()).toBe(title)
  }
})

test('the navigation lists the workspaces, and the channels of each', async () => {
  const { id } = await api.createChannel('In the tree')
  const { page } = await open('/dashboard/usage')
  const places = page.getByRole('navigation', { name: 'Dashboard' })
  const channel = places.getByRole('link', { name: 'In the tree' })
  const toggle = places.getByRole('button', { name: 'Channels in Demo' })
  await toggle.click()
  await channel.waitFor()
  await toggle.click()
  await channel.waitFor({ state: 'hidden' })
  await places.getByRole('link', { name: 'Demo' }).click()
  await page.getByRole('heading', { level: 1, name: 'Demo' }).waitFor()
  // The branch of the open channel is open from the start.
  await page.goto(`${server.url}/dashboard/channels/${id}`)
  await expect.poll(() => channel.getAttribute('href')).toBe(`/c/${id}`)
})

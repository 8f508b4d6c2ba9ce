import { expect, test } from 'vitest'
import { pushMany } from './support/api.ts'
import { api, createChannel, opened, setStage, signedIn } from './support/stage.ts'
import { makeWorkspace, openWorkspace } from './support/workspaces.ts'

setStage()

test('a channel is printed with every card that is loaded, in dark text, and shows its window’s part again afterwards', async () => {
  const { id } = await createChannel()
  await pushMany(api, id, 60)
  const { page } = await opened(id, { colorScheme: 'dark' })
  const shown = await page.getByRole('article').count()
  expect(shown).toBeLessThan(60)
  await page.evaluate(() => {
    addEventListener('beforeprint', () => {
      document.body.dataset.printed = String(document.querySelectorAll('article').length)
    })
  })
  const pdf = await page.pdf({ format: 'A4' })
  expect(await page.locator('body').getAttribute('data-printed')).toBe('60')
  // A page of A4 has room for about 25 lines.
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  expect(await page.evaluate(() => getComputedStyle(document.body).colorScheme)).toBe('light')
  await page.emulateMedia({ media: 'screen' })
  await expect.poll(() => page.getByRole('article').count()).toBe(shown)
})

test('of a workspace, the open channel is printed without the list beside it', async () => {
  const workspace = await makeWorkspace('With a sidebar', { layout: 'sidebar' })
  await pushMany(api, await workspace.addChannel('Deploys'), 60)
  const { page } = await signedIn()
  await openWorkspace(page, workspace)
  // The page begins with its first six cards.
  await page.getByRole('article').nth(6).waitFor()
  const pdf = await page.pdf({ format: 'A4' })
  expect(pdf.toString('latin1').match(/\/Type \/Page\b/g)?.length).toBeGreaterThan(2)
  const list = page.getByRole('navigation', { name: 'Channels' })
  expect(await list.isVisible()).toBe(true)
  await page.emulateMedia({ media: 'print' })
  expect(await list.isVisible()).toBe(false)
})

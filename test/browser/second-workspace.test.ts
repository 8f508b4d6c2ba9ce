// After a workspace was created: its first channel, and the channel's first card.
import { test } from 'vitest'
import { text } from './support/api.ts'
import { section } from './support/page.ts'
import { api, open, server, session, setStage } from './support/stage.ts'

setStage()

test('a second workspace leads to its first channel, and its channel to a first card', async () => {
  const body = await session<{ id: string; slug: string }>('POST', '/workspaces', { name: 'Platform' })
  const { page } = await open(`/dashboard/workspaces/${body.id}`)
  await section(page, 'Channels').getByText('No channels yet').waitFor()
  await page.goto(`${server.url}/w/${body.slug}`)
  await page.getByRole('link', { name: 'New channel' }).click()
  const dialog = page.getByRole('dialog', { name: 'New channel' })
  await dialog.getByLabel('Name').fill('Deploys')
  await dialog.getByRole('button', { name: 'Create channel' }).click()
  await page.getByRole('heading', { name: 'Push your first card' }).waitFor()
  await page.getByRole('link', { name: 'Open channel' }).waitFor()
  const id = new URL(page.url()).searchParams.get('channel') ?? ''
  await api.push(id, [text('Here')])
  await page.getByText('Your first card is here.').waitFor()
})

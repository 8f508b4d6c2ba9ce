// The card builder in its states, for the screenshots.
import type { Page } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'
import type { Api } from './api.ts'
import { addBlock, openBuilder, openRow, pane, takeExample, writeJson } from './builder.ts'
import type { DashboardScene } from './dashboard-scenes.ts'

export async function builderScenes(server: TestServer, api: Api): Promise<DashboardScene[]> {
  const { id: channel } = await api.createChannel('Rollouts', { icon: '🚀' })
  const { id: card } = await api.push(
    channel,
    [
      { type: 'text', id: 'title', content: 'Nightly import', size: 'lg', bold: true },
      { type: 'badge', id: 'state', label: 'Step 3 of 5', variant: 'pending' },
      { type: 'kv', id: 'log', rows: [{ key: '02:00:00', value: 'Started on worker-3' }] },
      { type: 'button', id: 'buttons', buttons: [{ id: 'stop', label: 'Stop', style: 'secondary' }] },
    ],
    'pending',
  )
  const scene = (name: string, then: (page: Page) => Promise<void>, query = ''): DashboardScene => ({
    name: `builder-${name}`,
    signedIn: true,
    full: false,
    async show(page) {
      await openBuilder(page, server, query || `?channel=${channel}`)
      await then(page)
    },
  })
  const broken =
    '{\n  "status": "soon",\n  "blocks": [\n    { "type": "text", "id": "title" },\n    { "type": "badge", "label": "" }\n  ]\n}'
  return [
    scene('empty', async () => {}),
    scene('gallery', async page => {
      await page.getByRole('button', { name: 'Examples', exact: true }).click()
      await page.getByRole('dialog').waitFor()
    }),
    scene('blocks', async page => {
      await takeExample(page, 'Deploy approval')
      await openRow(page, 'Buttons')
    }),
    scene('input', async page => {
      await takeExample(page, 'Form')
      await openRow(page, 'Severity')
    }),
    scene('add', async page => {
      await takeExample(page, 'Alert')
      await addBlock(page, 'Input')
    }),
    scene('preview', async page => {
      await takeExample(page, 'Form')
      await pane(page, 'Preview')
      await page.getByLabel('What happened').fill('The shop is closed')
      await page.getByLabel('Severity').selectOption('Some are affected')
      await page.getByRole('button', { name: 'Open the incident', exact: true }).click()
      await page.getByText('nothing was sent').waitFor()
    }),
    scene('preview-phone-dark', async page => {
      await takeExample(page, 'Deploy approval')
      await pane(page, 'Preview')
      await page.getByText('Dark', { exact: true }).click()
      // A phone has no such choice.
      const phone = page.getByText('Phone', { exact: true })
      if (await phone.isVisible()) await phone.click()
    }),
    scene('json', async page => {
      await takeExample(page, 'Live log')
      await pane(page, 'JSON')
      await page.locator('.cm-line').first().waitFor()
    }),
    scene('json-errors', async page => {
      await writeJson(page, broken)
      await page.getByText('blocks[0].content is required').waitFor()
    }),
    scene('field-errors', async page => {
      await writeJson(page, broken)
      await pane(page, 'Blocks')
      await page.getByRole('button', { name: /blocks\[1\]\.label is required/ }).click()
    }),
    scene('malformed', async page => {
      await takeExample(page, 'Alert')
      await writeJson(page, '{\n  "blocks": [\n    { "type": "text", "content": "One" },\n  ]\n}')
      await page.getByText('Invalid JSON').waitFor()
    }),
    scene('code', async page => {
      await takeExample(page, 'Alert')
      await pane(page, 'Code')
    }),
    scene('code-python', async page => {
      await takeExample(page, 'Live log')
      await pane(page, 'Code')
      await page.getByText('Python', { exact: true }).click()
      await page.getByText('Create or replace by key').click()
    }),
    scene(
      'patch',
      async page => {
        await openRow(page, 'Key and value')
        await page.getByRole('button', { name: 'Add a row' }).click()
        await page.getByLabel('Key of row 2').fill('02:00:41')
        await page.getByLabel('Value of row 2').fill('214 files found')
        await page.getByText('1 block changed').click()
      },
      `?channel=${channel}&card=${card}`,
    ),
    scene(
      'patch-not',
      async page => {
        await page.getByRole('button', { name: 'Delete Badge' }).click()
        await page.getByText('A PATCH can’t make these changes').waitFor()
      },
      `?channel=${channel}&card=${card}`,
    ),
    scene('gone', async page => {
      const { id } = await api.push(channel, [{ type: 'text', id: 'title', content: 'Nightly import' }])
      await openBuilder(page, server, `?channel=${channel}&card=${id}`)
      await openRow(page, 'Nightly import')
      await page.getByLabel('Content').fill('Weekly import')
      await api.remove(channel, id)
      await page.getByRole('button', { name: 'Send the change' }).click()
      await page.getByText('This card was deleted').waitFor()
    }),
    scene('sent', async page => {
      await takeExample(page, 'Daily report')
      await page.getByRole('button', { name: 'Send to channel' }).click()
      await page.getByText('the card is in the channel').waitFor()
    }),
    scene('offline', async page => {
      await takeExample(page, 'Alert')
      await page.context().setOffline(true)
      await page.getByRole('button', { name: 'Send to channel' }).click()
      await page.getByText('saved here until you send it').waitFor()
    }),
  ]
}

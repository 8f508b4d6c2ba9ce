// The card builder in its states, for the screenshots.
import type { Page } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'
import { type Api, text } from './api.ts'
import { addBlock, openBuilder, openRow, pane, takeExample, writeJson } from './builder.ts'
import { owner, type Scene } from './scenes.ts'

export async function builderScenes(server: TestServer, api: Api): Promise<Scene[]> {
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
  /** `example`: the card to start with. */
  const scene = (name: string, example: string | null, then?: (page: Page) => Promise<void>) =>
    owner(`builder-${name}`, async page => {
      await openBuilder(page, server, `?channel=${channel}`)
      if (example !== null) await takeExample(page, example)
      await then?.(page)
    })
  return [...composingScenes(scene), ...sendingScenes(scene, { server, api, channel, card })]
}

type MakeScene = (name: string, example: string | null, then?: (page: Page) => Promise<void>) => Scene
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

type Place = { server: TestServer; api: Api; channel: string; card: string }

const BROKEN = JSON.stringify(
  {
    status: 'soon',
    blocks: [
      { type: 'text', id: 'title' },
      { type: 'badge', label: '' },
    ],
  },
  null,
  2,
)

/** Buttons that hide all that a line can hide. */
const ROLLOUT = {
  type: 'button',
  buttons: [
    { id: 'now', label: 'Roll out now', confirm: 'Roll out to all 14 regions at once?' },
    { id: 'half', label: 'Begin with half of them', style: 'secondary', disabled: true },
    { id: 'stop', label: 'Stop', style: 'danger', confirm: 'Stop the release?', comment: 'required' },
  ],
  decision: { approves: 'now' },
}

function composingScenes(scene: MakeScene): Scene[] {
  return [
    scene('empty', null),
    scene('gallery', null, async page => {
      await press(page, 'Examples')
      await page.getByRole('dialog').waitFor()
    }),
    scene('blocks', 'Deploy approval', page => openRow(page, 'Buttons')),
    scene('buttons', null, async page => {
      await writeJson(page, JSON.stringify({ blocks: [ROLLOUT] }))
      await pane(page, 'Blocks')
      await openRow(page, 'Buttons')
    }),
    scene('question', 'Deploy approval', async page => {
      await openRow(page, 'Buttons')
      await page.getByLabel('Who may decide').selectOption('Chosen people')
      await page.getByLabel('E-mail addresses').fill('ann@example.com\nbob@example.com')
      await page.getByLabel('Closes after').selectOption('Another time')
      await page.getByRole('button', { name: 'More about the question' }).click()
      await page.getByRole('button', { name: 'More about “Reject”' }).click()
      await page.getByLabel('Question key').scrollIntoViewIfNeeded()
    }),
    scene('preview-not', null, async page => {
      await addBlock(page, 'Question')
      await openRow(page, 'Buttons')
      await page.getByLabel('Who may decide').selectOption('Chosen people')
      await page.getByLabel('E-mail addresses').fill('ann@example.com')
      await pane(page, 'Preview')
    }),
    scene('input', 'Form', page => openRow(page, 'Severity')),
    scene('add', 'Alert', page => addBlock(page, 'Input')),
    scene('preview', 'Form', async page => {
      await pane(page, 'Preview')
      await page.getByLabel('What happened').fill('The shop is closed')
      await page.getByLabel('Severity').selectOption('Some are affected')
      await press(page, 'Open the incident')
      await page.getByText('nothing was sent').waitFor()
    }),
    scene('preview-phone-dark', 'Deploy approval', async page => {
      await pane(page, 'Preview')
      await page.getByText('Dark', { exact: true }).click()
      // A phone has no such choice.
      const phone = page.getByText('Phone', { exact: true })
      if (await phone.isVisible()) await phone.click()
    }),
    scene('json', 'Live log', async page => {
      await pane(page, 'JSON')
      await page.locator('.cm-line').first().waitFor()
    }),
    scene('json-errors', null, async page => {
      await writeJson(page, BROKEN)
      await page.getByText('blocks[0].content is required').waitFor()
    }),
    scene('field-errors', null, async page => {
      await writeJson(page, BROKEN)
      await pane(page, 'Blocks')
      await page.getByRole('button', { name: 'Badge, block 2: Enter a label' }).click()
    }),
    scene('malformed', 'Alert', async page => {
      await writeJson(page, '{\n  "blocks": [\n    { "type": "text", "content": "One" },\n  ]\n}')
      await page.getByText('Invalid JSON').waitFor()
    }),
    scene('code', 'Alert', page => pane(page, 'Code')),
    scene('code-python', 'Live log', async page => {
      await pane(page, 'Code')
      await page.getByText('Python', { exact: true }).click()
      await page.getByText('Create or replace by key').click()
    }),
  ]
}

function sendingScenes(scene: MakeScene, { server, api, channel, card }: Place): Scene[] {
  const open = (page: Page, card: string) => openBuilder(page, server, `?channel=${channel}&card=${card}`)
  return [
    scene('patch', null, async page => {
      await open(page, card)
      await openRow(page, 'Key and value')
      await press(page, 'Add a row')
      await page.getByLabel('Key of row 2').fill('02:00:41')
      await page.getByLabel('Value of row 2').fill('214 files found')
      await page.getByText('1 block changed').click()
    }),
    scene('patch-not', null, async page => {
      await open(page, card)
      await press(page, 'Delete Badge')
      await page.getByText('A PATCH can’t make these changes').waitFor()
    }),
    scene('gone', null, async page => {
      const { id } = await api.push(channel, [text('Nightly import', 'title')])
      await open(page, id)
      await openRow(page, 'Nightly import')
      await page.getByLabel('Content').fill('Weekly import')
      await api.remove(channel, id)
      await press(page, 'Send the change')
      await page.getByText('This card was deleted').waitFor()
    }),
    scene('sent', 'Daily report', async page => {
      await press(page, 'Send to channel')
      await page.getByText('Sent.', { exact: true }).waitFor()
    }),
    scene('offline', 'Alert', async page => {
      await page.context().setOffline(true)
      await press(page, 'Send to channel')
      await page.getByText('saved here until you send it').waitFor()
    }),
  ]
}

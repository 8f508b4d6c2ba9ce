// Drafts: what a viewer enters stays, whatever automations do to the card meanwhile.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { input, kv, text, toggle } from './support/api.ts'
import { typeAndReload } from './support/interactions.ts'
import { expectFocus } from './support/page.ts'
import { api, openNew, server, setStage } from './support/stage.ts'
import { card, linkStatus, openChannel, savedIn } from './support/visit.ts'

setStage()

const LETTERS = 'Every letter of this sentence arrives, in order, while the card is patched.'

test('typing loses no letter and no focus while patches and new cards arrive', async () => {
  const { id, card_id, page } = await openNew({}, text('Waiting'), input('note', 'Note'), kv([]))
  const note = page.getByLabel('Note')
  await note.click()

  let typing = true
  const patching = (async () => {
    for (let i = 1; typing; i++) {
      const rows = { id: 'kv', patch: { rows: [{ key: 'Step', value: String(i) }] } }
      const patch = { label: 'Note', hint: `Hint ${i}`, value: `From the automation ${i}` }
      const status = i % 2 ? 'pending' : 'warning'
      await api.patch(id, card_id, { status, blocks: [rows, { id: 'note', patch }] })
      if (i % 5 === 0) await api.push(id, [text(`Other card ${i}`)])
    }
  })()
  await page.keyboard.type(LETTERS, { delay: 15 })
  typing = false
  await patching

  await expect.poll(() => note.inputValue()).toBe(LETTERS)
  await expectFocus(note)
})

test('drafts survive a reload and a patch; passwords do not', async () => {
  const { id, card_id, page } = await openNew(
    {},
    text('Form'),
    input('note', 'Note', { multiline: true }),
    input('secret', 'Secret', { input_type: 'password' }),
    { type: 'select', id: 'where', label: 'Where', options: ['here', 'there'] },
    { type: 'multiselect', id: 'who', label: 'Who', options: ['Ada', 'Grace', 'Joan'] },
    toggle('sure', 'Sure'),
  )
  await page.getByLabel('Note').fill('Line one\nLine two')
  await page.getByLabel('Secret').fill('hunter2hunter2')
  await page.getByLabel('Where').selectOption('there')
  await page.getByLabel('Grace').check()
  await page.getByLabel('Sure').check()
  await api.patch(id, card_id, { blocks: [{ id: 'text', patch: { content: 'Patched' } }] })
  await card(page, 'Patched').waitFor()
  await page.reload()

  await card(page, 'Patched').waitFor()
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('Line one\nLine two')
  await expect.poll(() => page.getByLabel('Where').inputValue()).toBe('there')
  await expect.poll(() => page.getByLabel('Grace').isChecked()).toBe(true)
  await expect.poll(() => page.getByLabel('Ada').isChecked()).toBe(false)
  await expect.poll(() => page.getByLabel('Sure').isChecked()).toBe(true)
  // Passwords are never saved.
  await expect.poll(() => page.getByLabel('Secret').inputValue()).toBe('')
})

test("an automation's new value appears, but not while the viewer types", async () => {
  const { id, card_id, page } = await openNew({}, input('note', 'Note', { value: 'First' }), kv([]))
  const note = page.getByLabel('Note')
  const patch = async (value: string) => {
    const rows = { id: 'kv', patch: { rows: [{ key: 'Value', value }] } }
    await api.patch(id, card_id, { blocks: [{ id: 'note', patch: { value } }, rows] })
    await card(page, value).waitFor()
  }
  await patch('Second')
  await expect.poll(() => note.inputValue()).toBe('Second')

  await note.focus()
  await patch('Third')
  await expect.poll(() => note.inputValue()).toBe('Second')
  await note.blur()
  await expect.poll(() => note.inputValue()).toBe('Third')

  await note.fill('Mine')
  await note.blur()
  await patch('Fourth')
  await expect.poll(() => note.inputValue()).toBe('Mine')
})

test('drafts of two tabs are both kept', async () => {
  const { id, page } = await openNew({}, input('one', 'One'), input('two', 'Two'))
  const other = await page.context().newPage()
  await openChannel(other, server, id)
  await page.getByLabel('One').fill('in the first tab')
  await expect.poll(() => keptDrafts(page, id)).toContain('in the first tab')
  await other.getByLabel('Two').fill('in the second tab')
  await expect.poll(() => keptDrafts(page, id)).toContain('in the second tab')
  await page.reload()
  await expect.poll(() => page.getByLabel('One').inputValue()).toBe('in the first tab')
  await expect.poll(() => page.getByLabel('Two').inputValue()).toBe('in the second tab')
})

test('text typed before and after a reload is there on returning to the channel', async () => {
  const { id, page } = await openNew({}, input('note', 'Note'))
  const note = page.getByLabel('Note')
  // Letters that come while earlier ones are being saved are saved too.
  await note.pressSequentially('to the last letter')
  await expect.poll(() => keptDrafts(page, id)).toContain('"to the last letter"')
  await typeAndReload(page, 'to the last letter.')
  await expect.poll(() => note.inputValue()).toBe('to the last letter.')
  await note.fill('abcdef')
  await expect.poll(() => keptDrafts(page, id)).toContain('abcdef')
  await page.getByRole('link', { name: 'Channel Feed, home' }).click()
  await page.waitForURL(`${server.url}/`)
  await page.goBack()
  await linkStatus(page, 'live')
  await expect.poll(() => note.inputValue()).toBe('abcdef')
})

test("a disabled field shows the card's own value, and its draft again once it is enabled", async () => {
  const { id, card_id, page } = await openNew({}, input('note', 'Note'), toggle('sure', 'Sure'))
  const close = (disabled: boolean) =>
    api.patch(id, card_id, {
      blocks: [
        { id: 'note', patch: { value: 'Theirs', disabled } },
        { id: 'sure', patch: { disabled } },
      ],
    })
  await page.getByLabel('Sure').check()
  await page.getByLabel('Note').fill('Mine')
  await close(true)
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('Theirs')
  await expect.poll(() => page.getByLabel('Sure').isChecked()).toBe(false)
  await close(false)
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('Mine')
  await expect.poll(() => page.getByLabel('Sure').isChecked()).toBe(true)
})

/** A channel's drafts saved in this browser, as JSON. */
const keptDrafts = (page: Page, channel: string) =>
  savedIn(page, 'channel-feed', 'local', `drafts:${channel}`)

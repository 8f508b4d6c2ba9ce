// Drafts: what a viewer enters stays, whatever automations do to the card meanwhile.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { text } from './support/api.ts'
import { api, isFocused, opened, server, setStage } from './support/stage.ts'
import { card, linkStatus, openChannel } from './support/visit.ts'

setStage()

const LETTERS = 'Every letter of this sentence arrives, in order, while the card is patched.'

test('typing loses no letter and no focus while patches and new cards arrive', async () => {
  const { id } = await api.createChannel('Typing')
  const pushed = await api.push(id, [
    text('Waiting'),
    { type: 'input', id: 'note', label: 'Note', value: '' },
    { type: 'kv', id: 'kv', rows: [{ key: 'Step', value: '0' }] },
  ])
  const { page } = await opened(id)
  const note = page.getByLabel('Note')
  await note.click()

  let typing = true
  const patching = (async () => {
    for (let i = 1; typing; i++) {
      const patch = { rows: [{ key: 'Step', value: String(i) }] }
      const input = { label: 'Note', hint: `Hint ${i}`, value: `From the automation ${i}` }
      await api.patch(id, pushed.id, {
        status: i % 2 ? 'pending' : 'warning',
        blocks: [
          { id: 'kv', patch },
          { id: 'note', patch: input },
        ],
      })
      if (i % 5 === 0) await api.push(id, [text(`Other card ${i}`)])
    }
  })()
  await page.keyboard.type(LETTERS, { delay: 15 })
  typing = false
  await patching

  await expect.poll(() => note.inputValue()).toBe(LETTERS)
  await expect.poll(() => note.evaluate(isFocused)).toBe(true)
})

test('drafts survive a reload and a patch; passwords do not', async () => {
  const { id } = await api.createChannel('Reload')
  const pushed = await api.push(id, [
    text('Form'),
    { type: 'input', id: 'note', label: 'Note', multiline: true },
    { type: 'input', id: 'secret', label: 'Secret', input_type: 'password' },
    { type: 'select', id: 'where', label: 'Where', options: ['here', 'there'] },
    { type: 'multiselect', id: 'who', label: 'Who', options: ['Ada', 'Grace', 'Joan'] },
    { type: 'toggle', id: 'sure', label: 'Sure' },
  ])
  const { page } = await opened(id)
  await page.getByLabel('Note').fill('Line one\nLine two')
  await page.getByLabel('Secret').fill('hunter2hunter2')
  await page.getByLabel('Where').selectOption('there')
  await page.getByLabel('Grace').check()
  await page.getByLabel('Sure').check()
  await api.patch(id, pushed.id, {
    status: 'success',
    blocks: [{ id: 'text', patch: { content: 'Patched' } }],
  })
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
  const { id } = await api.createChannel('Values')
  const pushed = await api.push(id, [
    { type: 'input', id: 'note', label: 'Note', value: 'First' },
    { type: 'kv', id: 'kv', rows: [] },
  ])
  const { page } = await opened(id)
  const note = page.getByLabel('Note')
  const patch = async (value: string) => {
    const rows = { id: 'kv', patch: { rows: [{ key: 'Value', value }] } }
    await api.patch(id, pushed.id, { blocks: [{ id: 'note', patch: { value } }, rows] })
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

test('text typed right before a reload is kept', async () => {
  const { id } = await api.createChannel('At once')
  await api.push(id, [{ type: 'input', id: 'note', label: 'Note' }])
  const { page } = await opened(id)
  await page.getByLabel('Note').pressSequentially('to the last letter')
  await page.reload()
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('to the last letter')
})

test('drafts of two tabs are both kept', async () => {
  const { id } = await api.createChannel('Two tabs')
  await api.push(id, [
    { type: 'input', id: 'one', label: 'One' },
    { type: 'input', id: 'two', label: 'Two' },
  ])
  const { page } = await opened(id)
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
  const { id } = await api.createChannel('And back')
  await api.push(id, [{ type: 'input', id: 'note', label: 'Note' }])
  const { page } = await opened(id)
  const note = page.getByLabel('Note')
  await note.fill('ab')
  await expect.poll(() => keptDrafts(page, id)).toContain('"ab"')
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('.field input')
    if (!field) throw new Error('the card has a field')
    field.value = 'abc'
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    location.reload()
  })
  await expect.poll(() => note.inputValue()).toBe('abc')
  await note.fill('abcdef')
  await expect.poll(() => keptDrafts(page, id)).toContain('abcdef')
  await page.getByRole('link', { name: 'Channel Feed, home' }).click()
  await page.waitForURL(`${server.url}/`)
  await page.goBack()
  await linkStatus(page, 'live')
  await expect.poll(() => note.inputValue()).toBe('abcdef')
})

test("a disabled field shows the card's own value, and its draft again once it is enabled", async () => {
  const { id } = await api.createChannel('Closed')
  const pushed = await api.push(id, [
    { type: 'input', id: 'note', label: 'Note' },
    { type: 'toggle', id: 'sure', label: 'Sure' },
  ])
  const { page } = await opened(id)
  const close = (disabled: boolean) =>
    api.patch(id, pushed.id, {
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
function keptDrafts(page: Page, channel: string): Promise<string> {
  return page.evaluate(
    key =>
      new Promise<string>((resolve, reject) => {
        const open = indexedDB.open('channel-feed')
        open.onerror = () => reject(open.error)
        open.onsuccess = () => {
          const read = open.result.transaction('local').objectStore('local').get(key)
          read.onsuccess = () => resolve(JSON.stringify(read.result ?? null))
        }
      }),
    `drafts:${channel}`,
  )
}

// What is typed into a password field stays in memory, whatever the automation makes of the field.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { input, text } from './support/api.ts'
import { api, openNew, setStage } from './support/stage.ts'
import { storedWith } from './support/stored.ts'

setStage()

const password = (id: string, label: string, fields = {}) =>
  input(id, label, { input_type: 'password', ...fields })

/** The page saves its drafts and its HTML when it is left. */
async function expectNotKept(page: Page, secret: string): Promise<void> {
  await page.getByLabel('Note').fill('a plain note')
  await page.evaluate(() => {
    dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))
    dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))
  })
  await expect.poll(() => storedWith(page, 'a plain note')).toContain('storage')
  expect(await storedWith(page, secret)).toEqual([])
  await page.reload()
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('a plain note')
  expect(await page.getByLabel('Key').inputValue()).toBe('')
}

test('a password of several lines is not saved', async () => {
  const { page } = await openNew({}, password('key', 'Key', { multiline: true }), input('note', 'Note'))
  await page.getByLabel('Key').fill('first line\nhunter2hunter2')
  await expectNotKept(page, 'hunter2hunter2')
})

test('what was typed into a password field is not saved after it became a plain text', async () => {
  const { id, card_id, page } = await openNew({}, password('key', 'Key'), input('note', 'Note'))
  const key = page.getByLabel('Key')
  await key.fill('hunter2hunter2')
  await api.patch(id, card_id, { blocks: [{ id: 'key', patch: { input_type: 'text' } }] })
  await expect.poll(() => key.getAttribute('type')).toBe('text')
  await key.pressSequentially('more')
  await expectNotKept(page, 'hunter2hunter2')
})

test('a field that becomes a password loses the draft that was saved', async () => {
  const { id, card_id, page } = await openNew({}, text('Form'), input('key', 'Key'), input('note', 'Note'))
  await page.getByLabel('Key').fill('hunter2hunter2')
  await expect.poll(() => storedWith(page, 'hunter2hunter2')).not.toEqual([])
  await api.patch(id, card_id, { blocks: [{ id: 'key', patch: { input_type: 'password' } }] })
  await expect.poll(() => page.getByLabel('Key').getAttribute('type')).toBe('password')
  expect(await page.getByLabel('Key').inputValue()).toBe('hunter2hunter2')
  await expect.poll(() => storedWith(page, 'hunter2hunter2')).toEqual([])
  await expectNotKept(page, 'hunter2hunter2')
})

// Fields and buttons in browsers that differ from each other.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buttons, input } from './support/api.ts'
import { replyBox } from './support/interactions.ts'
import { createChannel, openNew, server, setStage, signedIn } from './support/stage.ts'
import { openChannel } from './support/visit.ts'

setStage()

/** Runs in the page. Takes `field-sizing` from it, as in Safari 26.1. */
function forgetFieldSizing(): void {
  const supports = CSS.supports.bind(CSS)
  CSS.supports = (...words: string[]) =>
    !words.join(':').includes('field-sizing') && supports(words.join(':'))
  document.addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style')
    style.textContent = 'textarea { field-sizing: fixed !important }'
    document.head.append(style)
  })
}

const heights = (page: Page, name: string) =>
  page
    .getByRole('textbox', { name })
    .evaluate(({ clientHeight, scrollHeight }) => ({ shown: clientHeight, text: scrollHeight }))

test.each([
  { browser: 'this one', without: () => undefined },
  { browser: 'one without field-sizing', without: forgetFieldSizing },
])('text areas are as high as their text, also after a reload: $browser', async ({ without }) => {
  const { id } = await createChannel({}, input('note', 'Note', { multiline: true }))
  const { page } = await signedIn()
  await page.addInitScript(without)
  await openChannel(page, server, id)
  const lines = 'one\ntwo\nthree\nfour\nfive\nsix'
  const empty = await heights(page, 'Reply to A channel')
  await replyBox(page).fill('one\ntwo')
  await page.getByLabel('Note').fill(lines)
  async function expectWhole(): Promise<void> {
    for (const name of ['Reply to A channel', 'Note'])
      await expect
        .poll(async () => {
          const { shown, text } = await heights(page, name)
          return shown - text
        })
        .toBe(0)
  }
  await expectWhole()
  await page.reload()
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe(lines)
  await expectWhole()
  await page.getByLabel('Note').fill('one')
  await replyBox(page).press('Enter')
  await expect.poll(() => heights(page, 'Reply to A channel')).toEqual(empty)
  expect((await heights(page, 'Note')).shown).toBeLessThan(80)
})

test('a disabled button looks disabled next to the main button of a card', async () => {
  const blocks = buttons('Go', { id: 'first', label: 'First', disabled: true }, 'Stop')
  const { page } = await openNew(
    {},
    { ...buttons({ id: 'off', label: 'Off', disabled: true }), id: 'off' },
    blocks,
  )
  const colour = (name: string) =>
    page.getByRole('button', { name, exact: true }).evaluate(one => getComputedStyle(one).backgroundColor)
  expect(await colour('First')).toBe(await colour('Off'))
  expect(await colour('Stop')).not.toBe(await colour('Off'))
})

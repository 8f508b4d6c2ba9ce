// Japanese, Chinese and Korean text: keys that belong to the input method do nothing else.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { expectFocus } from './support/page.ts'
import { createChannel, hooks, opened, setStage } from './support/stage.ts'

setStage()

const CONVERSIONS = [
  { browser: 'most browsers', isComposing: true },
  { browser: 'Safari', keyCode: 229 },
]

/** Presses Enter as an input method does to confirm a conversion. Resolves with whether the page handled the key. */
const confirm = (page: Page, init: { isComposing?: boolean; keyCode?: number }) =>
  page.evaluate(init => {
    const event = new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true, ...init })
    return document.activeElement?.dispatchEvent(event) === false
  }, init)

test.each(CONVERSIONS)('Enter that confirms a conversion sends no reply: $browser', async conversion => {
  const { id } = await createChannel(hooks.at('/converted'))
  const { page } = await opened(id)
  const box = page.getByRole('textbox', { name: 'Reply to A channel' })
  await box.fill('漢字')
  await expectFocus(box)
  expect(await confirm(page, conversion)).toBe(false)
  await box.pressSequentially('です')
  await box.press('Enter')
  const [hook] = await hooks.hooks('/converted', 1)
  expect(hook?.trigger).toMatchObject({ type: 'reply', text: '漢字です' })
})

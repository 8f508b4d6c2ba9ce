// The app without a mouse: shortcuts, focus and announcements.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { SHORTCUTS } from '../../web/ui/shortcut-keys.ts'
import { buttons, input, pushMany, question, text } from './support/api.ts'
import { replyBox } from './support/interactions.ts'
import { boxOf, expectFocus } from './support/page.ts'
import { api, createChannel, open, opened, openNew, server, setStage } from './support/stage.ts'
import { card, scrollFeed } from './support/visit.ts'

setStage()

/** The text of the focused element. */
const focused = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')
const focusedTag = (page: Page) => page.evaluate(() => document.activeElement?.tagName)
const cardWithFocus = (page: Page, words: string) =>
  page.locator('article:focus', { hasText: words }).waitFor()

/** A channel whose newest card is “Card 30”. */
async function openThirty(): Promise<Page> {
  const { id } = await api.createChannel('Thirty')
  await pushMany(api, id, 30)
  const { page } = await opened(id)
  await card(page, 'Card 30').waitFor()
  return page
}

test('j and k move between cards, . goes to the newest, r to the reply, and Escape leaves it', async () => {
  const page = await openThirty()
  await page.keyboard.press('j')
  await cardWithFocus(page, 'Card 30')
  for (let i = 0; i < 20; i++) {
    await page.keyboard.press('j')
    await cardWithFocus(page, `Card ${29 - i}`)
  }
  await page.keyboard.press('k')
  await cardWithFocus(page, 'Card 11')
  await page.keyboard.press('.')
  await cardWithFocus(page, 'Card 30')
  await page.keyboard.press('r')
  await expectFocus(replyBox(page))
  await page.keyboard.type('jk?.g')
  await expect.poll(() => replyBox(page).inputValue()).toBe('jk?.g')
  await page.keyboard.press('Escape')
  await expect.poll(() => focusedTag(page)).toBe('MAIN')
})

test('n moves to the next card that needs the viewer, and begins again after the last', async () => {
  const { id } = await createChannel({}, text('First'), question({}, 'Approve'))
  await api.push(id, [text('Between')])
  await api.push(id, [text('Second'), question({}, 'Approve')])
  await api.push(id, [text('Newest')])
  const { page } = await opened(id)
  await page.getByRole('button', { name: 'Needs you 2' }).waitFor()
  for (const words of ['Second', 'First', 'Second']) {
    await page.keyboard.press('n')
    await cardWithFocus(page, words)
  }
})

test.each([320, 1_000])('at %i px n shows all of a card below the bar', async width => {
  const { id } = await api.createChannel('Many')
  await pushMany(api, id, 50)
  await api.push(id, [text('Waits'), question({}, 'Approve')])
  await pushMany(api, id, 8)
  const { page } = await opened(id, { viewport: { width, height: 640 } })
  await page.getByRole('button', { name: 'Needs you 1' }).waitFor()
  await scrollFeed(page, 1_500)
  await page.keyboard.press('n')
  await cardWithFocus(page, 'Waits')
  const bar = await boxOf(page.locator('.feed-bar'))
  await expect.poll(async () => (await boxOf(card(page, 'Waits'))).y).toBeGreaterThan(bar.y + bar.height)
})

test('Enter on a card goes to its first field or button, and Escape in the field back to the card', async () => {
  const { id } = await createChannel({}, text('See https://example.com'))
  await api.push(id, [text('Deploy'), input('ticket', 'Ticket'), buttons('Go')])
  await api.push(id, [text('Restart'), buttons('Again')])
  const { page } = await opened(id)
  await page.keyboard.press('j')
  await cardWithFocus(page, 'Restart')
  await page.keyboard.press('Enter')
  await expectFocus(page.getByRole('button', { name: 'Again' }))
  await page.keyboard.press('j')
  await cardWithFocus(page, 'Deploy')
  await page.keyboard.press('Enter')
  await expectFocus(page.getByLabel('Ticket'))
  await page.keyboard.press('Escape')
  await cardWithFocus(page, 'Deploy')
  await page.keyboard.press('j')
  await cardWithFocus(page, 'See')
  await page.keyboard.press('Enter')
  await expectFocus(page.getByRole('link', { name: 'https://example.com' }))
})

test('Tab closes a menu, and the shortcuts work again', async () => {
  const { page } = await openNew({}, text('Anything'))
  await page.getByRole('button', { name: 'Channel menu' }).press('Enter')
  const item = page.getByRole('link', { name: 'Open workspace' })
  await expectFocus(item)
  await page.keyboard.press('Tab')
  await item.waitFor({ state: 'detached' })
  await expectFocus(page.getByRole('link', { name: /^Account of/ }))
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search and jump' }).waitFor()
})

test('g and a letter open a page, and the list of shortcuts is complete', async () => {
  const { page } = await opened(server.channel_id)
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await list.waitFor()
  const listed = await list
    .locator('dd')
    .evaluateAll(keys =>
      keys.map(key => [...key.querySelectorAll('kbd')].map(one => one.textContent).join(' ')),
    )
  const expected = Object.values(SHORTCUTS).map(({ keys }) => keys.join(' ').replace('Mod+', 'Ctrl '))
  expect(listed.sort()).toEqual(expected.sort())
  await page.keyboard.press('Escape')
  await list.waitFor({ state: 'detached' })
  for (const [key, path] of [
    ['k', '/dashboard/keys'],
    ['u', '/dashboard/usage'],
    ['h', '/'],
  ]) {
    await page.keyboard.press('g')
    await page.keyboard.press(key ?? '')
    await page.waitForURL(server.url + path)
  }
  await page.keyboard.press('/')
  await page.getByRole('dialog', { name: 'Search and jump' }).waitFor()
})

test('single-key shortcuts stay off after a reload', async () => {
  const { page } = await opened(server.channel_id)
  await page.keyboard.press('?')
  await page.getByRole('switch', { name: 'Single-key shortcuts' }).uncheck()
  await page.keyboard.press('Escape')
  await page.reload()
  await page.locator('#app:not([inert]) article').first().waitFor()
  await page.keyboard.press('?')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog', { name: 'Search and jump' }).waitFor()
  await expect.poll(() => page.getByRole('dialog', { name: 'Keyboard shortcuts' }).count()).toBe(0)
})

test('the skip button is visible with the focus and leads past the bar', async () => {
  const { page } = await open('/dashboard/usage')
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  await page.reload()
  await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
  const skip = page.getByRole('button', { name: 'Skip to content' })
  await skip.focus()
  await expect.poll(() => skip.evaluate(button => getComputedStyle(button).clipPath)).toBe('none')
  await page.keyboard.press('Enter')
  await expect.poll(() => focusedTag(page)).toBe('MAIN')
})

test('a button keeps the focus while its card is patched and moves down', async () => {
  const { id, card_id, page } = await openNew({}, text('First'), buttons('Go'))
  await page.getByRole('button', { name: 'Go' }).focus()
  await api.patch(id, card_id, {
    status: 'warning',
    blocks: [
      { id: 'text', patch: { content: 'Changed' } },
      { id: 'buttons', patch: { buttons: [{ id: 'go', patch: { label: 'Go on', style: 'danger' } }] } },
    ],
  })
  await page.getByRole('button', { name: 'Go on' }).waitFor()
  await expect.poll(() => focused(page)).toBe('Go on')
  await pushMany(api, id, 25)
  await expect.poll(() => page.getByRole('article').first().textContent()).toBeTruthy()
  await expect.poll(() => focused(page)).toBe('Go on')
})

test('the next card takes the focus of a deleted card', async () => {
  const { id } = await createChannel({}, text('Lower'))
  const gone = await api.push(id, [text('Gone')])
  await api.push(id, [text('Upper')])
  const { page } = await opened(id)
  await card(page, 'Gone').focus()
  await api.remove(id, gone.id)
  await cardWithFocus(page, 'Lower')
})

test('many cards are announced together, with the name of the channel', async () => {
  const { id, page } = await openNew({ name: 'Flood' }, text('Before'))
  await card(page, 'Before').waitFor()
  await page.evaluate(() => {
    const region = document.querySelector('[data-new-cards]')
    const said: string[] = []
    Object.assign(window, { said })
    if (!region) return
    const note = () => region.textContent && said.push(region.textContent)
    new MutationObserver(note).observe(region, { childList: true, characterData: true, subtree: true })
  })
  await pushMany(api, id, 12)
  const said = () => page.evaluate((): string[] => Reflect.get(window, 'said'))
  const count = async () => (await said()).reduce((sum, words) => sum + Number.parseInt(words, 10), 0)
  await expect.poll(count).toBe(12)
  expect((await said()).length).toBeLessThanOrEqual(2)
  expect((await said()).every(words => words.endsWith(' in Flood'))).toBe(true)
})

test('a new page announces its title and takes the focus', async () => {
  await createChannel({ name: 'Spoken' })
  const { page } = await open('/')
  await page.getByRole('link', { name: 'Spoken' }).first().click()
  await expect.poll(() => page.locator('[data-arrived]').textContent()).toBe('Spoken')
  await expect.poll(() => focusedTag(page)).toBe('MAIN')
  await page.keyboard.press('g')
  await page.keyboard.press('u')
  await expect.poll(() => focused(page)).toBe('Usage')
})

test('each key press moves on by one card, however fast', async () => {
  const page = await openThirty()
  await page.evaluate(() => {
    for (let i = 0; i < 4; i++)
      document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  })
  await cardWithFocus(page, 'Card 27')
})

test('times are in the language of the browser, and their tips have the seconds', async () => {
  const { id } = await createChannel({}, text('Jetzt'))
  const { page } = await opened(id, { locale: 'de-DE', timezoneId: 'Europe/Berlin' })
  const time = card(page, 'Jetzt').locator('.card-time time')
  await expect.poll(() => time.textContent()).toMatch(/^\d+:\d\d\p{L}+\.?, \d+\. \p{L}+\.? \d{4}/u)
  await expect.poll(() => time.getAttribute('lang')).toMatch(/^de/)
  await page.getByRole('heading', { name: /^Heute/ }).waitFor()
  expect(await time.getAttribute('title')).toMatch(/ \d\d:\d\d:\d\d$/)
})

test('reduced motion stops every animation and transition', async () => {
  const { page } = await opened(server.channel_id, { reducedMotion: 'reduce' })
  const moving = await page.evaluate(() =>
    [...document.querySelectorAll('*')]
      .filter(element => {
        const { animationName, transitionDuration } = getComputedStyle(element)
        return animationName !== 'none' || transitionDuration.split(', ').some(time => time !== '0s')
      })
      .map(element => element.className),
  )
  expect(moving).toEqual([])
})

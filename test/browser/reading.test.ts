// Cards can be read: nothing covers their words, on narrow pages and in any language.
import type { Locator } from 'playwright-core'
import { expect, test } from 'vitest'
import { buttons, input, kv, pushMany, text } from './support/api.ts'
import { boxOf } from './support/page.ts'
import { api, browser, createChannel, opened, openNew, server, setStage } from './support/stage.ts'
import { card, interactionStatus, openChannel, signIn, visit } from './support/visit.ts'

setStage()

type Box = { left: number; right: number; top: number; bottom: number }

/** Where the words of an element stand, line by line. */
const lines = (element: Locator): Promise<Box[]> =>
  element.evaluate(node => {
    const words = document.createRange()
    words.selectNodeContents(node)
    return [...words.getClientRects()].map(({ left, right, top, bottom }) => ({ left, right, top, bottom }))
  })

const meet = (a: Box, b: Box) =>
  a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom

/** Whether `thing` lies over a line of `words`. */
async function overlap(words: Locator, thing: Locator): Promise<boolean> {
  const { left, right, top, bottom } = await thing.evaluate(element =>
    element.getBoundingClientRect().toJSON(),
  )
  return (await lines(words)).some(line => meet(line, { left, right, top, bottom }))
}

test.each([320, 390, 1_000])('at %i px the status of a change is beside or below its label', async width => {
  const label = 'Reason for the change, as it is shown to the whole team later'
  const shared = { label, send_on_change: true }
  const { id } = await createChannel(
    {},
    { type: 'input', id: 'note', ...shared },
    { type: 'multiselect', id: 'who', options: ['Ada', 'Grace'], ...shared },
    { type: 'toggle', id: 'sure', ...shared },
  )
  const { page } = await opened(id, { viewport: { width, height: 900 } })
  const places = () =>
    page.locator('.field').evaluateAll(all => all.map(one => one.getBoundingClientRect().top))
  const before = await places()
  await page.locator('.block-input input').fill('Because')
  await page.getByLabel('Ada').check()
  await page.getByRole('switch').check()
  await expect.poll(() => interactionStatus(page, 'sent').getByText('just now').count()).toBe(3)
  await expect.poll(places).toEqual(before)
  for (const type of ['input', 'multiselect', 'toggle']) {
    const field = page.locator(`.block-${type} .field`)
    const words = field.locator(':is(label, legend > span)').first()
    expect(await overlap(words, field.locator('.interaction-status')), type).toBe(false)
  }
})

test.each(['en', 'de', 'ru'])(
  'in %s the status and the times of a card lie beside its first line',
  async locale => {
    const { id } = await api.createChannel('Times')
    const pushed = await api.push(id, [text('Words '.repeat(60))], 'warning')
    await api.patch(id, pushed.id, { blocks: [{ id: 'text', patch: { content: 'Word '.repeat(60) } }] })
    const { page } = await visit(browser, { locale, viewport: { width: 900, height: 700 } })
    for (const hours of [0, 23, 24 * 400]) {
      await page.clock.setFixedTime(Date.now() + hours * 3_600_000)
      await signIn(page, server.url, server.owner)
      await openChannel(page, server, id)
      for (const place of ['.card-status', '.card-time time > span:first-child']) {
        const covered = await overlap(page.locator('.text'), page.locator(place).first())
        expect(covered, `${place} after ${hours} h`).toBe(false)
      }
    }
  },
)

test('at 320 px a title has the room of quiet words, which screen readers still get', async () => {
  const { id } = await api.createChannel('Narrow')
  for (const [i, status] of ['success', 'error'].entries()) {
    const blocks = [text(`Title of ${status}`), input('field', 'Field')]
    const { id: card_id } = await api.push(id, blocks, status)
    await api.patch(id, card_id, { blocks: [{ id: 'text', patch: { content: `Changed title ${i}` } }] })
  }
  const { page } = await opened(id, { viewport: { width: 320, height: 640 } })
  const widthOf = async (words: string, place: string) =>
    (await boxOf(card(page, words).locator(place))).width
  expect(await widthOf('Changed title 0', '.card-status')).toBe(1)
  expect(await widthOf('Changed title 1', '.card-status')).toBeGreaterThan(10)
  expect(await widthOf('Changed title 1', '.card-edited')).toBe(1)
  await page.getByRole('article', { name: /^Success.*edited/ }).waitFor()
})

test('at 320 px a long name of a channel is cut, and the reply box stays one line high', async () => {
  const { id } = await api.createChannel('A channel with a rather long name that has to be cut somewhere')
  const { page } = await opened(id, { viewport: { width: 320, height: 640 } })
  await page.getByRole('button', { name: 'Channel menu' }).waitFor()
  const title = await boxOf(page.getByRole('heading', { level: 1 }))
  const icons = await boxOf(page.locator('.bar-aside'))
  expect(title.x + title.width).toBeLessThanOrEqual(icons.x)
  const box = page.getByRole('textbox', { name: 'Reply' })
  expect((await boxOf(box)).height).toBeLessThan(50)
  await box.focus()
  await expect.poll(async () => (await boxOf(box)).height).toBeLessThan(50)
})

test('the cards stand in the middle of a window with a scrollbar', async () => {
  const { id } = await api.createChannel('Many')
  await pushMany(api, id, 30)
  const { page } = await opened(id, { viewport: { width: 1_280, height: 700 } })
  const feed = await boxOf(page.locator('.feed'))
  const foot = await boxOf(page.locator('.composer'))
  expect(feed.x * 2 + feed.width).toBe(1_280)
  expect(foot.x * 2 + foot.width).toBe(1_280)
})

test('a time and a sentence of the page keep their order in Arabic and beside it', async () => {
  const { id } = await createChannel({}, text('فشل النشر'), buttons('إعادة المحاولة'))
  const { page } = await opened(id)
  await page.getByRole('button', { name: 'إعادة المحاولة' }).click()
  const words = page.locator('.receipt > span')
  await words.getByText('You').waitFor()
  const left = (name: string) =>
    words
      .getByText(name)
      .first()
      .evaluate(one => one.getBoundingClientRect().left)
  expect(await left('You')).toBeLessThan(await left('إعادة المحاولة'))
  await page.evaluate(() => (document.documentElement.dir = 'rtl'))
  const time = page.locator('.card-time time').last()
  expect(await time.evaluate(one => getComputedStyle(one).unicodeBidi)).toBe('plaintext')
})

test('Arabic and Hebrew run from right to left, with Latin words and marks in place', async () => {
  const { page } = await openNew(
    {},
    text('تم نشر release 1.2 بنجاح.'),
    kv([{ key: 'اسم', value: 'قيمة 12.' }]),
    input('note', 'ملاحظة'),
  )
  await card(page, 'release').waitFor()
  for (const place of ['.text', '.kv dd']) {
    const edges = await page.locator(place).evaluate(element => {
      const node = element.firstChild
      if (!node) throw new Error('there are words')
      const at = (start: number) => {
        const letter = document.createRange()
        letter.setStart(node, start)
        letter.setEnd(node, start + 1)
        return letter.getBoundingClientRect().left
      }
      return { first: at(0), stop: at((node.textContent ?? '').length - 1) }
    })
    expect(edges.stop).toBeLessThan(edges.first)
  }
  const note = page.getByLabel('ملاحظة')
  await note.fill('שלום world!')
  await expect.poll(() => note.evaluate(field => getComputedStyle(field).direction)).toBe('rtl')
})

// The live feed in a real browser: viewers see what automations write.
import { expect, test } from 'vitest'
import { kv, pushMany, text } from './support/api.ts'
import { boxOf, scrollUntil } from './support/page.ts'
import { api, opened, openNew, server, setStage, signedIn } from './support/stage.ts'
import { card, cardTexts, linkStatus, scrollFeed } from './support/visit.ts'

setStage()

test('a pushed card appears, a patch changes it, and a delete removes it', async () => {
  const { id, page, faults } = await openNew()
  await page.getByText('No cards yet').waitFor()
  await page.getByRole('button', { name: 'Copy the line that pushes a card' }).waitFor()

  const pushed = await api.push(id, [text('Deploy started')], 'pending')
  await card(page, 'Deploy started').waitFor()
  await card(page, 'Pending').waitFor()

  const blocks = [{ id: 'text', patch: { content: 'Deployed' } }]
  await api.patch(id, pushed.id, { status: 'success', blocks })
  await card(page, 'Deployed').getByText('Success').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(1)

  await api.remove(id, pushed.id)
  await page.getByText('No cards yet').waitFor()
  await expect.poll(() => page.getByRole('article').count()).toBe(0)
  expect(faults).toEqual([])
})

test('a PATCH of one row changes no other node of the card', async () => {
  const { id } = await api.createChannel('Rows')
  const rows = [1, 2, 3].map(i => ({ key: `Key ${i}`, value: `Value ${i}` }))
  const pushed = await api.push(id, [text('Rows'), kv(rows)])
  const { page } = await opened(id)
  await card(page, 'Value 3').waitFor()
  await page.evaluate(() => {
    const changes: string[] = []
    const observer = new MutationObserver(records => {
      for (const { target } of records) {
        const element = target instanceof Element ? target : target.parentElement
        changes.push(element?.closest('dd, dt, time, .card-meta, p')?.textContent ?? 'more than a row')
      }
    })
    const card = document.querySelector('article')
    if (card)
      observer.observe(card, { childList: true, subtree: true, characterData: true, attributes: true })
    Object.assign(window, { changes })
  })

  const changed = rows.map((row, i) => (i === 1 ? { ...row, value: 'Changed' } : row))
  await api.patch(id, pushed.id, { blocks: [{ id: 'kv', patch: { rows: changed } }] })
  await card(page, 'Changed').waitFor()

  const changes: string[] = await page.evaluate(() => Reflect.get(window, 'changes'))
  const besidesTime = changes.filter(words => !words.includes('just now'))
  expect(new Set(besidesTime)).toEqual(new Set(['Changed']))
})

test('cards are listed newest first, and older pages load while scrolling', async () => {
  const { id } = await api.createChannel('Long')
  await pushMany(api, id, 64 * 7 + 10)
  const { page, faults } = await opened(id)
  const top = await cardTexts(page)
  expect(top.slice(0, 3)).toEqual(['Card 458', 'Card 457', 'Card 456'])

  await scrollUntil(page, card(page, /^(.*\D)?Card 1$/m))
  await page.getByText('This is the beginning of the channel.').waitFor()
  // The list keeps only a few cards in the page.
  await expect.poll(() => page.getByRole('article').count()).toBeLessThan(60)
  expect(faults).toEqual([])
})

test('a change to a visible archived card appears', async () => {
  const { id } = await api.createChannel('Archive')
  const first = await api.push(id, [text('The very first')])
  await pushMany(api, id, 64 * 5 + 3)
  const { page } = await opened(id)
  await scrollUntil(page, card(page, 'The very first'))

  await api.patch(id, first.id, { blocks: [{ id: 'text', patch: { content: 'Changed in the archive' } }] })
  await card(page, 'Changed in the archive').waitFor()
  await api.remove(id, first.id)
  await card(page, 'Changed in the archive').waitFor({ state: 'detached' })
})

test('buttons can be pressed while the list scrolls', async () => {
  const { id } = await api.createChannel('Scrolling')
  const block = { type: 'button', buttons: [{ label: 'Approve' }] }
  for (let i = 0; i < 20; i++) await api.push(id, [block])
  const { page } = await opened(id)
  const reached = await page.locator('.feed-scroller').evaluate(async scroller => {
    const scrolled = new Promise(resolve => scroller.addEventListener('scroll', resolve, { once: true }))
    scroller.scrollTo({ top: 300, behavior: 'instant' })
    await scrolled
    await new Promise(requestAnimationFrame)
    const { top, bottom } = scroller.getBoundingClientRect()
    return [...scroller.querySelectorAll('.card button')]
      .map(button => ({ button, box: button.getBoundingClientRect() }))
      .filter(({ box }) => box.top > top && box.bottom < bottom)
      .map(({ button, box }) => document.elementFromPoint(box.left + 5, box.top + 5) === button)
  })
  expect(reached.length).toBeGreaterThan(0)
  expect(reached).not.toContain(false)
})

test('new cards do not move a reader who is further down, and are announced', async () => {
  const { id } = await api.createChannel('Reading')
  await pushMany(api, id, 60)
  const { page } = await opened(id)
  await scrollFeed(page, 1_500)
  const reading = card(page, /^(.*\D)?Card 40$/m)
  const before = await boxOf(reading)

  await api.push(id, [text('New one')])
  await api.push(id, [text('New two')])
  // A deleted card no longer counts.
  const gone = await api.push(id, [text('New three')])
  await page.getByRole('button', { name: '3 new cards' }).waitFor()
  await api.remove(id, gone.id)
  await page.getByRole('button', { name: '2 new cards' }).waitFor()
  // The browser rounds scroll positions.
  expect(Math.abs((await boxOf(reading)).y - before.y)).toBeLessThan(3)

  await page.getByRole('button', { name: '2 new cards' }).press('Enter')
  await card(page, 'New two').waitFor()
  await page.getByRole('button', { name: '2 new cards' }).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
})

test('a first visit shows its cards before the socket sends anything, and requests nothing twice', async () => {
  const { id } = await api.createChannel('First look')
  await api.push(id, [text('Seen at once')])
  const { page, faults } = await signedIn()
  await page.routeWebSocket(/\/sync\//, () => {})
  const requests: string[] = []
  page.on('request', request => requests.push(new URL(request.url()).pathname))
  await page.goto(`${server.url}/c/${id}`)
  await card(page, 'Seen at once').waitFor()
  await linkStatus(page, 'connecting')
  const paths = ['view', 'first-cards', 'document'].map(name => `/api/channels/${id}/${name}`)
  expect(requests.filter(path => paths.includes(path)).sort()).toEqual(paths.sort())
  expect(faults).toEqual([])
})

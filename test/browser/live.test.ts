// The live feed in a real browser: viewers see what automations write.
import { expect, test } from 'vitest'
import { buttons, kv, pushFillers, pushMany, text } from './support/api.ts'
import { findings } from './support/axe.ts'
import { boxOf, scrollUntil } from './support/page.ts'
import { api, createChannel, opened, openNew, server, setStage, signedIn } from './support/stage.ts'
import { card, cardTexts, keptForNextVisit, linkStatus, openChannel, scrollFeed } from './support/visit.ts'

setStage()

test('a pushed card appears, a patch changes it, and a delete removes it', async () => {
  const { id, page } = await openNew()
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
})

test('the line that pushes a card can be scrolled before the box around it has loaded', async () => {
  const { id } = await createChannel()
  const { page } = await signedIn({ viewport: { width: 320, height: 900 } })
  await page.route(/\/copy-[\w-]{8}\.js$/, () => {})
  await openChannel(page, server, id)
  await page.getByText('CHANNEL_FEED_KEY').first().waitFor()
  expect(await page.getByRole('button', { name: 'Copy the line' }).count()).toBe(0)
  expect(await findings(page)).toEqual([])
})

test('a PATCH of one row changes no other node of the card', async () => {
  const rows = [1, 2, 3].map(i => ({ key: `Key ${i}`, value: `Value ${i}` }))
  const { id, card_id, page } = await openNew({}, text('Rows'), kv(rows))
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
  await api.patch(id, card_id, { blocks: [{ id: 'kv', patch: { rows: changed } }] })
  await card(page, 'Changed').waitFor()

  const changes: string[] = await page.evaluate(() => Reflect.get(window, 'changes'))
  const besidesTime = changes.filter(words => !words.includes('edited'))
  expect(new Set(besidesTime)).toEqual(new Set(['Changed']))
})

test('cards are listed newest first, older pages load while scrolling, and their cards follow changes', async () => {
  const { id, card_id } = await createChannel({}, text('The very first'))
  await pushFillers(api, id, 64 * 7 - 3)
  await pushMany(api, id, 3)
  const { page } = await opened(id)
  const top = await cardTexts(page)
  expect(top.slice(0, 3)).toEqual(['Card 3', 'Card 2', 'Card 1'])

  await scrollUntil(page, card(page, 'The very first'))
  await page.getByText('This is the beginning of the channel.').waitFor()
  // The list keeps only a few cards in the page.
  await expect.poll(() => page.getByRole('article').count()).toBeLessThan(60)

  await api.patch(id, card_id, { blocks: [{ id: 'text', patch: { content: 'Changed in the archive' } }] })
  await card(page, 'Changed in the archive').waitFor()
  await api.remove(id, card_id)
  await card(page, 'Changed in the archive').waitFor({ state: 'detached' })
})

test('buttons can be pressed while the list scrolls', async () => {
  const { id } = await api.createChannel('Scrolling')
  for (let i = 0; i < 20; i++) await api.push(id, [buttons('Approve')])
  const { page } = await opened(id)
  const reached = await page.locator('.feed-scroller').evaluate(async scroller => {
    const scrolled = new Promise(resolve => scroller.addEventListener('scroll', resolve, { once: true }))
    scroller.scrollTo({ top: 300, behavior: 'instant' })
    await scrolled
    await new Promise(requestAnimationFrame)
    const { bottom } = scroller.getBoundingClientRect()
    const top = scroller.querySelector('.feed-bar')?.getBoundingClientRect().bottom ?? 0
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
  const reading = page.getByRole('article').filter({ has: page.getByText('Card 15', { exact: true }) })
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
  const { id } = await createChannel({}, text('Seen at once'))
  const { page } = await signedIn()
  await page.routeWebSocket(/\/sync\//, () => {})
  const requests: string[] = []
  page.on('request', request => requests.push(new URL(request.url()).pathname))
  await page.goto(`${server.url}/c/${id}`)
  await card(page, 'Seen at once').waitFor()
  await linkStatus(page, 'connecting')
  // The page may finish loading after the connection has begun.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow')))
  const paths = ['view', 'first-cards', 'document'].map(name => `/api/channels/${id}/${name}`)
  await expect.poll(() => requests.filter(path => paths.includes(path)).sort()).toEqual(paths.sort())
  // The script is the largest. Over HTTP/1.1 it gets the open connection if it is requested first.
  expect(requests[1]).toMatch(/^\/assets\/app-.*\.js$/)
  const assets = requests.filter(path => path.startsWith('/assets/'))
  expect(assets).toEqual([...new Set(assets)])
})

test('the session is checked once the first cards of a channel seen before are on the screen', async () => {
  const { page } = await openNew({}, text('First'))
  await keptForNextVisit(page)
  await page.addInitScript(() => {
    requestAnimationFrame(function look() {
      if (document.querySelector('article')) performance.mark('first-cards')
      else requestAnimationFrame(look)
    })
  })
  await page.reload()
  await linkStatus(page, 'live')
  const startOf = (part: string) =>
    page.evaluate(
      part => performance.getEntries().find(({ name }) => name.endsWith(part))?.startTime ?? Number.NaN,
      part,
    )
  await expect.poll(() => startOf('/get-session')).toBeGreaterThan(await startOf('first-cards'))
})

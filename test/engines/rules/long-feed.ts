// A long feed: what is being read stays where it is.
import { expect, test } from 'vitest'
import { text } from '../../browser/support/api.ts'
import { api, openSignedIn } from '../support/stage.ts'

const CARDS = 2_000
const AT_ONCE = 40
const STEPS = 60

export function longFeedRules(): void {
  test(`${CARDS} cards scroll down and up without a jump, and new cards leave the reading position`, async () => {
    const { id } = await api.createChannel('Long')
    for (let i = 0; i < CARDS; i += AT_ONCE) {
      const some = Array.from({ length: AT_ONCE }, (_, nth) => i + nth)
      await Promise.all(
        some.map(n => api.push(id, [text(`Card ${n} ${'and more words '.repeat((n * 7) % 40)}`)])),
      )
    }
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    await page.becomes(true, () => document.querySelectorAll('article').length > 3)
    const down = await page.js(scrollBy, { step: 500, steps: STEPS })
    expect(down.jumps).toEqual([])
    expect(down.top).toBeGreaterThan(STEPS * 400)

    const before = await page.js(readMiddle)
    await Promise.all([1, 2, 3].map(n => api.push(id, [text(`New ${n}`)])))
    await page.find('button', /new cards?$/)
    expect(Math.abs((await page.js(topOf, before.id)) - before.top)).toBeLessThanOrEqual(2)

    const up = await page.js(scrollBy, { step: -500, steps: STEPS })
    expect(up.jumps).toEqual([])
  })
}

/** Runs in the page. Scrolls in steps. After each, the card in the middle must have moved by just that much. */
async function scrollBy({
  step,
  steps,
}: {
  step: number
  steps: number
}): Promise<{ top: number; jumps: string[] }> {
  const feed = document.querySelector('.feed-scroller')
  if (!feed) throw new Error('there is a feed')
  const frames = async (count: number) => {
    for (let i = 0; i < count; i++) await new Promise(requestAnimationFrame)
  }
  const jumps: string[] = []
  for (let i = 0; i < steps; i++) {
    const middle = innerHeight / 2
    const distance = (card: Element) => Math.abs(card.getBoundingClientRect().top - middle)
    const card = [...document.querySelectorAll('article')].sort((a, b) => distance(a) - distance(b))[0]
    if (!card) {
      jumps.push(`no card at ${feed.scrollTop}`)
      break
    }
    const [before, from] = [card.getBoundingClientRect().top, feed.scrollTop]
    const room = step > 0 ? feed.scrollHeight - feed.clientHeight - from : from
    if (room < Math.abs(step)) {
      // More cards may be on their way.
      await frames(5)
      continue
    }
    feed.scrollTop += step
    await frames(4)
    const moved = before - card.getBoundingClientRect().top
    if (card.isConnected && Math.abs(moved - step) > 2)
      jumps.push(`at ${from}: ${Math.round(moved)} px instead of ${step}`)
  }
  return { top: feed.scrollTop, jumps }
}

/** Runs in the page. The card in the middle of the window. */
function readMiddle(): { id: string; top: number } {
  const card = document.elementFromPoint(innerWidth / 2, innerHeight / 2)?.closest('article')
  if (!card) throw new Error('there is a card')
  card.id ||= 'in-the-middle'
  return { id: card.id, top: card.getBoundingClientRect().top }
}

const topOf = (id: string) => document.getElementById(id)?.getBoundingClientRect().top ?? Number.NaN

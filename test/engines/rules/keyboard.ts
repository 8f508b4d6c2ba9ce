// The app by keyboard: a visible focus, shortcuts, and input methods.
import { expect, test } from 'vitest'
import { buttons, input, text } from '../../browser/support/api.ts'
import type { EngineWindow } from '../support/engine-window.ts'
import { api, hooks, openSignedIn } from '../support/stage.ts'

/** No page of the tests has more. */
const STOPS = 60

export function keyboardRules(): void {
  test('Tab reaches every control of a channel, each with a visible focus', async () => {
    const { id } = await api.createChannel('Tabs')
    await api.push(id, [
      text('A form'),
      input('note', 'Note'),
      input('day', 'Day', { input_type: 'date' }),
      input('time', 'Time', { input_type: 'time' }),
      { type: 'select', id: 'where', label: 'Where', options: ['here', 'there'] },
      { type: 'multiselect', id: 'who', label: 'Who', options: ['Ada', 'Grace'] },
      { type: 'toggle', id: 'sure', label: 'Sure' },
      buttons('Send'),
    ])
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    const stops = await tabThrough(page)
    expect(stops.filter(({ ring }) => !ring)).toEqual([])
    const names = stops.map(({ name }) => name)
    for (const name of ['Note', 'Day', 'Time', 'Where', 'Ada', 'Grace', 'Sure', 'Send'])
      expect(names).toContain(name)
  })

  test('palette and list of shortcuts open by key, Escape closes them, and the focus returns', async () => {
    const { id } = await api.createChannel('Keys')
    await api.push(id, [text('A card'), buttons('Send')])
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    await page.press('j')
    await page.becomes('ARTICLE', () => document.activeElement?.tagName)
    await page.press('?')
    await page.find('heading', 'Keyboard shortcuts')
    await page.press('Escape')
    await page.becomes('ARTICLE', () => document.activeElement?.tagName)
    await page.press('Control+k')
    await page.find('combobox', /^Search c/)
    await page.type('new work')
    await page.sees('New workspace')
    await page.press('Escape')
    await page.becomes('ARTICLE', () => document.activeElement?.tagName)
  })

  test('Enter that only confirms what an input method offers sends nothing', async () => {
    const { id } = await api.createChannel('Kana', hooks.at('/kana'))
    await api.push(id, [text('A form'), input('note', 'Note'), buttons('Send')])
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    for (const name of [/^Reply/, /^Note$/]) {
      await page.click('textbox', name)
      await page.type('nihon')
      // Safari sends this after the composition has ended.
      await page.js(() => {
        const enter = { key: 'Enter', keyCode: 229, bubbles: true, cancelable: true }
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', enter))
      })
      await page.type('go')
    }
    await page.click('textbox', /^Reply/)
    await page.press('Enter')
    const sent = (await hooks.hooks('/kana', 1)).map(({ trigger }) => trigger.text)
    expect(sent).toEqual(['nihongo'])
  })
}

/**
 * Presses Tab until the focus leaves the page or comes to a control again. After the last control, the focus may move to the
 * browser's own, and then nothing in the page has the focus, although Tab still changes its `activeElement`.
 */
async function tabThrough(page: EngineWindow): Promise<Stop[]> {
  const stops: Stop[] = []
  while (stops.length < STOPS) {
    await page.press('Tab')
    const stop = await page.js(readFocus)
    // The parts of a date have one element.
    const isNext = stop?.nth !== stops.at(-1)?.nth
    if (!stop || (isNext && stops.some(({ nth }) => nth === stop.nth))) break
    stops.push(stop)
  }
  return stops
}

/** `nth`: the element's place in the page. */
type Stop = { nth: number; name: string; ring: boolean }

/** Runs in the page. The control with the focus, and whether it can be seen there. */
function readFocus(): Stop | null {
  const active = document.activeElement
  if (!(active instanceof HTMLElement) || active === document.body || !document.hasFocus()) return null
  const labels = 'labels' in active && active.labels instanceof NodeList ? [...active.labels] : []
  const name = active.getAttribute('aria-label') ?? labels[0]?.textContent ?? active.textContent ?? ''
  // Some controls show it on the box around them.
  const boxes = [active, active.parentElement, active.closest('form')]
  const ring = boxes.some(box => {
    const { outlineStyle, outlineWidth } = getComputedStyle(box ?? active)
    return outlineStyle !== 'none' && outlineWidth !== '0px'
  })
  const nth = [...document.querySelectorAll('*')].indexOf(active)
  return { nth, name: name.trim().slice(0, 60), ring }
}

// Every page at three widths, and with large text: each control takes clicks, and no word is broken.
import { expect, test } from 'vitest'
import { LAYOUTS } from '../../../shared/workspace.ts'
import { text } from '../../browser/support/api.ts'
import { pushInteractive, pushShowcase } from '../../browser/support/showcase.ts'
import type { EngineWindow } from '../support/engine-window.ts'
import { openInFrame } from '../support/frame.ts'
import { api, openSignedIn, openWindow, server, session } from '../support/stage.ts'

/** In px, and the size of text. */
const SIZES = [
  { width: 1100, text: '100%' },
  { width: 768, text: '100%' },
  { width: 375, text: '100%' },
  { width: 640, text: '200%' },
]
type Size = (typeof SIZES)[number]

const RULE =
  'each control takes clicks at its middle and keeps away from the edge, and no word of a heading is broken'

export function pageRules(): void {
  test(`on every page of an owner, at four sizes, ${RULE}`, async () => {
    await expectNoProblems(await openSignedIn(), await preparePages())
  })

  test(`on every page of a guest, at four sizes, ${RULE}`, async () => {
    await expectNoProblems(await openWindow(), ['/', '/sign-in', '/sign-up', '/docs', '/nowhere'])
  })
}

async function expectNoProblems(page: EngineWindow, paths: string[]): Promise<void> {
  const found: Record<string, string[]> = {}
  for (const path of paths) {
    await openInFrame(page, path)
    for (const size of SIZES) {
      const problems = await page.js(findProblems, size)
      if (problems.length > 0) found[`${path} at ${size.width} px, text ${size.text}`] = problems
    }
  }
  expect(found).toEqual({})
}

/** Paths of pages with something of everything on them. */
async function preparePages(): Promise<string[]> {
  const full = await api.createChannel('Public deploys', {
    icon: '🚀',
    description: 'See https://example.com',
  })
  await pushShowcase(api, full.id)
  await pushInteractive(api, full.id)
  const workspaces: string[] = []
  for (const layout of LAYOUTS) {
    const { id, slug } = await session<{ id: string; slug: string }>('POST', '/workspaces', {
      name: `As ${layout}`,
    })
    await session('PATCH', `/workspaces/${id}`, { layout, icon: '🚀' })
    for (const name of ['Deploys', 'Alerts']) {
      const channel = await api.createChannel(name, { workspace_id: id, icon: '🚨' })
      await session('PUT', `/channels/${channel.id}/attributes`, { team: name })
      await api.push(channel.id, [text(`A card of ${name}`)])
    }
    await session('PUT', `/workspaces/${id}/attribute-settings`, { key: 'team', use_as_filter: true })
    workspaces.push(`/w/${slug}`)
  }
  return [
    '/',
    `/c/${full.id}`,
    `/dashboard/channels/${full.id}`,
    `/dashboard/channels/${full.id}/log`,
    `/dashboard/workspaces/${server.workspace_id}`,
    '/dashboard/keys',
    '/dashboard/account',
    '/dashboard/usage',
    '/dashboard/builder',
    ...workspaces,
  ]
}

/** Runs in the page. Gives the frame this size and lists what is wrong in it. */
async function findProblems({ width, text }: Size): Promise<string[]> {
  const frame = document.querySelector('iframe')
  const inside = frame?.contentDocument
  if (!frame || !inside) return ['there is no frame']
  frame.width = String(width)
  inside.documentElement.style.fontSize = text
  for (let frames = 0; frames < 3; frames++) {
    // On a busy machine, WebKit may draw nothing for a while.
    const drawn = new Promise(resolve => requestAnimationFrame(resolve))
    await Promise.race([drawn, new Promise(resolve => setTimeout(resolve, 500))])
  }
  const shown = (selector: string) =>
    [...inside.querySelectorAll<HTMLElement>(selector)].filter(
      element => element.checkVisibility({ visibilityProperty: true }) && !element.closest('[inert]'),
    )
  const about = (element: Element) =>
    (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 60)
  const problems: string[] = []
  const EDGE = 6

  for (const control of shown('a[href], button, input, select, textarea, summary')) {
    control.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
    const box = control.getClientRects()[0]
    const { clipPath, pointerEvents } = getComputedStyle(control)
    // Controls for screen readers and keyboards take no clicks.
    if (!box || box.width <= 1 || clipPath !== 'none' || pointerEvents === 'none') continue
    const top = inside.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
    const takesIt = control.contains(top) || top?.closest('label')?.contains(control)
    if (!takesIt)
      problems.push(`${control.tagName} “${about(control)}” is covered by ${top?.outerHTML.slice(0, 80)}`)
    // What is almost as wide as the window, such as a row, may begin at its edge. A button without words has a clear margin.
    const hasWords = control.innerText !== '' && !control.querySelector('.sr-only')
    const touchesEdge = box.left < EDGE || box.right > inside.documentElement.clientWidth - EDGE
    if (touchesEdge && box.width < 0.8 * width && hasWords)
      problems.push(`${control.tagName} “${about(control)}” touches the edge of the window`)
  }

  for (const heading of shown('h1, h2, h3, h4')) {
    const texts = inside.createTreeWalker(heading, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
      for (const word of (texts.currentNode.nodeValue ?? '').matchAll(/\S+/g)) {
        const range = inside.createRange()
        range.setStart(texts.currentNode, word.index)
        range.setEnd(texts.currentNode, word.index + word[0].length)
        // WebKit also names the end of the line above a word that begins a line.
        const boxes = [...range.getClientRects()].filter(({ width }) => width > 0)
        const lines = new Set(boxes.map(({ top }) => Math.round(top)))
        if (lines.size > 1) problems.push(`“${word[0]}” of “${about(heading)}” is broken`)
      }
    }
  }
  return problems
}

// What browsers draw differently: groups of choices, rows that become narrower, and disabled buttons.
import { expect, test } from 'vitest'
import { buttons, text } from '../../browser/support/api.ts'
import { openInFrame } from '../support/frame.ts'
import { api, openSignedIn, server, session } from '../support/stage.ts'

export function looksRules(): void {
  test('the choices of a group keep away from its name', async () => {
    const { id } = await api.createChannel('Groups')
    await api.push(id, [
      text('A form'),
      { type: 'multiselect', id: 'who', label: 'Who', options: ['Ada', 'Grace'] },
    ])
    const page = await openSignedIn()
    for (const path of [
      `/c/${id}`,
      `/dashboard/channels/${id}`,
      `/dashboard/workspaces/${server.workspace_id}`,
      '/dashboard/builder',
    ]) {
      await page.goto(path)
      await page.becomes(true, () => document.querySelector('#app:not([inert]) legend') !== null)
      expect(await page.js(findTouchingNames), path).toEqual([])
    }
  })

  test('a long name in a list makes its row higher when the window becomes narrower', async () => {
    const workspace = { name: 'Narrow' }
    const { id: workspace_id, slug } = await session<{ id: string; slug: string }>(
      'POST',
      '/workspaces',
      workspace,
    )
    await session('PATCH', `/workspaces/${workspace_id}`, { layout: 'list' })
    for (const name of ['Payments and refunds of every customer in Europe', 'Deploys']) {
      const { id } = await api.createChannel(name, { workspace_id })
      await api.push(id, [text('The newest card')])
    }
    const page = await openSignedIn()
    await openInFrame(page, `/w/${slug}`)
    await page.becomes(true, () => {
      const frame = document.querySelector('iframe')
      if (frame) frame.width = '320'
      const lines = frame?.contentDocument?.querySelectorAll('.channel-row-line') ?? []
      return [...lines].some(line => line.clientHeight > 30)
    })
    expect(await page.js(findOverlaps)).toEqual([])
  })

  test('a disabled button doesn’t look like an enabled one', async () => {
    const { id } = await api.createChannel('Disabled')
    await api.push(id, [text('A form'), buttons('First', { label: 'Off', disabled: true }, 'On')])
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    await page.becomes(false, () => {
      const looks = ['Off', 'On'].map(name => {
        const button = [...document.querySelectorAll('button')].find(
          button => button.textContent?.trim() === name,
        )
        if (!button) return name
        const { color, opacity, backgroundColor } = getComputedStyle(button)
        return [color, opacity, backgroundColor].join()
      })
      return looks[0] === looks[1]
    })
  })
}

/** Runs in the page. Groups whose first choice overlaps their name or touches it. */
function findTouchingNames(): string[] {
  const GAP = 3
  const touching: string[] = []
  for (const legend of document.querySelectorAll('legend:not(.sr-only)')) {
    const range = document.createRange()
    range.selectNodeContents(legend)
    const name = range.getBoundingClientRect()
    for (const choice of legend.parentElement?.querySelectorAll('label, .choice') ?? []) {
      const box = choice.getBoundingClientRect()
      const beside = box.left >= name.right || box.right <= name.left
      const below = box.top >= name.bottom + GAP
      if (box.width > 1 && !beside && !below) touching.push(`${legend.textContent}: ${choice.textContent}`)
    }
  }
  return touching
}

/** Runs in the page. Lines of the frame's rows that reach into the line below. */
function findOverlaps(): string[] {
  const overlaps: string[] = []
  const frame = document.querySelector('iframe')?.contentDocument
  for (const name of frame?.querySelectorAll('.channel-row-name') ?? []) {
    const line = name.closest('.channel-row-line')
    const next = line?.nextElementSibling?.getBoundingClientRect()
    if (next && name.getBoundingClientRect().bottom > next.top + 1)
      overlaps.push(
        `${name.textContent} reaches ${name.getBoundingClientRect().bottom - next.top} px too far`,
      )
  }
  return overlaps
}

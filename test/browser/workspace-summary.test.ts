// What a workspace's page says about each channel beside its name: its newest card, and the decisions that wait.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buttons, question, text } from './support/api.ts'
import { goOffline } from './support/interactions.ts'
import { boxOf } from './support/page.ts'
import { openName } from './support/sidebar.ts'
import { api, openAsGuest, setStage } from './support/stage.ts'
import { KEEPING, keptForOffline, linkStatus } from './support/visit.ts'
import { makeWorkspace, openAsOwner, openWorkspace } from './support/workspaces.ts'

setStage()

const CLASS = { sidebar: '.side-line', list: '.list-line', grid: '.tile-name' }
const LISTS = ['sidebar', 'list', 'grid'] as const
const ask = (decision: object = {}) => [text('Release 2.5.0'), question(decision, 'Approve', 'Hold')]
const lineOf = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name })
const nameIn = (page: Page, name: string) => page.locator('.channel-row-name').filter({ hasText: name })

test.each(LISTS)('as %s, each channel shows its newest card, and a change appears live', async layout => {
  const workspace = await makeWorkspace(`Newest as ${layout}`, { layout, channels: ['Other', 'Deploys'] })
  const [, deploys = ''] = workspace.ids
  await api.push(deploys, [text('Web 4.2 is live')], 'success')
  const { page } = await openAsOwner(workspace)
  const line = lineOf(page, 'Deploys')
  await line.getByText('Web 4.2 is live').waitFor()
  await line.locator('.mark[data-status="success"]').waitFor()
  await line.locator('.last-card-time').waitFor()
  await lineOf(page, 'Other').getByText('No cards yet').waitFor()

  const second = await api.push(deploys, [text('Web 4.3 failed')], 'error')
  await line.getByText('Web 4.3 failed').waitFor()
  await line.locator('.mark[data-status="error"]').waitFor()
  await api.remove(deploys, second.id)
  await line.getByText('Web 4.3 failed').waitFor({ state: 'detached' })
  await line.getByText('Web 4.2 is live').waitFor()
})

test('decisions are counted live, and each viewer reads how many of them they may decide', async () => {
  const workspace = await makeWorkspace('Counted', { visibility: 'public', channels: ['Deploys', 'Other'] })
  const [deploys = ''] = workspace.ids
  await api.push(deploys, ask({ who: 'owner' }))
  const { page } = await openAsOwner(workspace)
  const { page: guest } = await openAsGuest(`/w/${workspace.slug}`)
  await lineOf(page, 'Deploys').getByText('Needs you').waitFor()
  await lineOf(guest, 'Deploys').getByText('Waiting').waitFor()
  await expect.poll(() => page.locator('.waiting-tag').count()).toBe(1)

  await api.push(deploys, ask({ who: 'owner' }))
  await lineOf(page, 'Deploys').getByText('2 need you').waitFor()
  await lineOf(guest, 'Deploys').getByText('2 waiting').waitFor()
  await api.push(deploys, ask())
  await lineOf(page, 'Deploys').getByText('3 need you').waitFor()
  await lineOf(guest, 'Deploys').getByText('Needs you').waitFor()
  // The list and the open channel say the same.
  await guest.getByRole('radio', { name: 'Needs you 1' }).last().waitFor()
  await workspace.set({ layout: 'tabs' })
  await guest.getByRole('tab', { name: 'Deploys, 1 needs you', exact: true }).waitFor()
  await workspace.set({ layout: 'sidebar' })

  for (const left of [['2 waiting'], ['Waiting'], []]) {
    await page.getByRole('button', { name: 'Approve' }).first().click()
    await page.mouse.move(0, 0)
    await expect.poll(() => guest.locator('.waiting-tag').allTextContents()).toEqual(left)
  }
  await page.locator('.waiting-tag').waitFor({ state: 'detached' })
})

test('no card of a view-only channel needs the viewer', async () => {
  const workspace = await makeWorkspace('Viewing')
  const id = await workspace.addChannel('Deploys')
  await api.push(id, ask())
  await api.patchChannel(id, { mode: 'view' })
  const { page } = await openAsOwner(workspace)
  await lineOf(page, 'Deploys').locator('.waiting-tag').getByText('Waiting').waitFor()
})

test('the name of a link says what is new in the channel, part by part', async () => {
  const workspace = await makeWorkspace('Spoken', { layout: 'list', channels: ['Other'] })
  const id = await workspace.addChannel('Deploys', { attributes: { team: 'platform' } })
  await workspace.showAttribute('team', { show_in_sidebar: true })
  const { page } = await openAsOwner(workspace)
  await page.getByRole('link', { name: 'Deploys, platform, no cards yet', exact: true }).waitFor()
  await api.push(id, ask())
  await api.push(id, [text('Web failed'), buttons('Retry')], 'error')
  const name = /^Deploys, 2 unread, 1 needs you, platform, last card: Error: Web failed, \d+:\d\d/
  for (const layout of LISTS) {
    await workspace.set({ layout })
    await page.locator(CLASS[layout]).first().waitFor()
    await page.getByRole('link', { name }).waitFor()
  }
})

test('offline, a list shows the newest cards and the decisions as last seen', async () => {
  const workspace = await makeWorkspace('Last seen', { layout: 'list', channels: ['Deploys'] })
  const [deploys = ''] = workspace.ids
  const { page } = await openAsOwner(workspace, '', KEEPING)
  await page.getByText('No cards yet').waitFor()
  await api.push(deploys, ask())
  await page.getByText('Release 2.5.0').waitFor()
  await keptForOffline(page)
  await goOffline(page)
  await page.reload()
  await linkStatus(page, 'offline')
  await lineOf(page, 'Deploys').getByText('Release 2.5.0').waitFor()
  await lineOf(page, 'Deploys').getByText('Needs you').waitFor()
})

test('a channel’s name stands above the text of its cards', async () => {
  const workspace = await makeWorkspace('Aligned', { channels: ['Deploys'] })
  await api.push(workspace.ids[0] ?? '', [text('Web 4.2 is live')])
  const { page } = await openAsOwner(workspace)
  const lead = page.locator('.card-lead')
  await lead.waitFor()
  const title = openName(page, 'Deploys').locator('.channel-words')
  expect((await boxOf(title)).x).toBeCloseTo((await boxOf(lead)).x, 0)

  await workspace.set({ layout: 'grid' })
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await openWorkspace(page, workspace)
    await lead.waitFor()
    expect((await boxOf(nameIn(page, 'Deploys'))).x).toBeCloseTo((await boxOf(lead)).x, 0)
  }
})

test.each(LISTS)('as %s, nothing leaves a narrow screen that reads from right to left', async layout => {
  const workspace = await makeWorkspace(`Narrow as ${layout}`, { layout })
  const id = await workspace.addChannel('A channel with a name that is as long as names of channels are')
  await api.push(id, [text('A card with a text that is longer than a narrow screen has room for')])
  await api.push(id, ask())
  const { page } = await openAsOwner(workspace, '', { viewport: { width: 320, height: 640 } })
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'rtl'))
  const row = page.locator('.channel-row-words')
  await row.getByText('Needs you').waitFor()
  for (const size of ['100%', '200%']) {
    await page.evaluate(size => document.documentElement.style.setProperty('font-size', size), size)
    const inside = await row.evaluate(words =>
      [...words.querySelectorAll('.waiting-tag, .channel-row-name, .last-card, .unread')].every(part => {
        const { left, right } = part.getBoundingClientRect()
        return left >= 0 && right <= innerWidth
      }),
    )
    expect(inside, size).toBe(true)
  }
})

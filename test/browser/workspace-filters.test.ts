// Filters of the sidebar: by state, text and attributes.
import { expect, test } from 'vitest'
import { question, text } from './support/api.ts'
import { choose } from './support/decisions.ts'
import { press, smallTargets } from './support/page.ts'
import { addPerson } from './support/people.ts'
import { channelLink, isInside, openName, sideNames } from './support/sidebar.ts'
import { api, openAsGuest, setStage } from './support/stage.ts'
import { card, PHONE } from './support/visit.ts'
import { makeWorkspace, openAsOwner, openWorkspace, pushToEach } from './support/workspaces.ts'

setStage()

/** A public workspace with three channels of two teams, and the id of the one in the test stage. */
async function makeFiltered(name: string, team: string) {
  const workspace = await makeWorkspace(name, { visibility: 'public' })
  await workspace.addChannel('Web live', { attributes: { team, stage: 'live' } })
  const tested = await workspace.addChannel('Web test', { attributes: { team, stage: 'test' } })
  await workspace.addChannel('Data live', { attributes: { team: 'data', stage: 'live' } })
  await workspace.showAttribute('team', { use_as_filter: true })
  await workspace.showAttribute('stage', { use_as_filter: true })
  return { workspace, tested }
}

test('filters show channels with all chosen values, with counts, and labels are beside names', async () => {
  const { workspace } = await makeFiltered('Filtered', 'web')
  await workspace.addChannel('Plain')
  await workspace.showAttribute('team', { show_in_sidebar: true })
  const { page } = await openAsOwner(workspace)
  const filter = (name: string) => page.getByRole('button', { name, exact: true })
  await filter('live 2').click()
  await expect.poll(() => sideNames(page)).toEqual(['Web live', 'Data live'])
  await expect.poll(() => filter('live 2').getAttribute('aria-pressed')).toBe('true')
  await filter('web 1').click()
  await expect.poll(() => sideNames(page)).toEqual(['Web live'])
  await filter('data 1').click()
  await expect.poll(() => sideNames(page)).toEqual(['Data live'])
  await page.getByRole('searchbox').fill('web')
  await page.getByText('No channel matches.').waitFor()
  // The open channel stays open.
  await openName(page, 'Web live').waitFor()
  await press(page, 'Clear')
  await expect.poll(() => sideNames(page)).toHaveLength(4)
  const line = page.locator('.side-line').filter({ hasText: 'Data live' })
  await expect.poll(() => line.locator('.label').allTextContents()).toEqual(['data'])
})

test('the count stays visible beside a filter value that is too long for the sidebar', async () => {
  const workspace = await makeWorkspace('Long values')
  await workspace.addChannel('One', {
    attributes: { team: 'All who look after the harbour, the lake and the river' },
  })
  await workspace.showAttribute('team', { use_as_filter: true })
  const { page } = await openAsOwner(workspace)
  await page.locator('.filter-count').waitFor()
  await expect.poll(() => isInside(page.locator('.filter-count'), page.locator('.side'))).toBe(true)
})

test('Unread and Needs you filter the channels, and an opened channel stays until the filter changes', async () => {
  const workspace = await makeWorkspace('States', { channels: ['Open', 'Asking', 'Busy', 'Quiet'] })
  const [open = '', asking = '', busy = ''] = workspace.ids
  await pushToEach(workspace, ['Open', 'Asking', 'Busy', 'Quiet'])
  await api.push(asking, [text('Ship it?'), question({}, 'Approve')])
  const { page } = await openAsOwner(workspace, `?channel=${open}`)
  const show = (name: string | RegExp) => page.getByRole('radio', { name }).check()
  await api.push(busy, [text('Came later')])
  await page.getByRole('link', { name: 'Busy, 1 unread' }).waitFor()
  await show('Unread 1')
  await expect.poll(() => sideNames(page)).toEqual(['Busy'])
  await page.waitForURL(`${workspace.url}?channel=${open}&only=unread`)

  await channelLink(page, 'Busy').click()
  await card(page, 'Came later').waitFor()
  await page.getByRole('radio', { name: 'Unread', exact: true }).waitFor()
  await expect.poll(() => sideNames(page)).toEqual(['Busy'])
  await page.reload()
  await page.getByText('No unread cards.').waitFor()

  await show('Needs you 1')
  await expect.poll(() => sideNames(page)).toEqual(['Asking'])
  await show('All')
  await expect.poll(() => sideNames(page)).toHaveLength(4)
  await page.waitForURL(`${workspace.url}?channel=${busy}`)
})

test('a guest finds what they may decide, and people who only look find all that waits', async () => {
  const workspace = await makeWorkspace('Waiting', {
    visibility: 'public',
    channels: ['One', 'Two', 'Three'],
  })
  const [one = '', two = ''] = workspace.ids
  await api.push(one, [text('For the owner?'), question({ who: 'owner' }, 'Approve')])
  await api.push(two, [text('For anyone?'), question({}, 'Approve')])
  const { page } = await openAsGuest(`/w/${workspace.slug}`)
  await channelLink(page, 'One').getByText('Waiting').waitFor()
  await page.getByRole('radio', { name: 'Needs you 1' }).first().check()
  await expect.poll(() => sideNames(page)).toEqual(['Two'])
  await channelLink(page, 'Two').click()
  await choose(page, 'Approve')
  await channelLink(page, 'Two').getByText('Needs you').waitFor({ state: 'detached' })
  await page.reload()
  await page.getByText('Nothing needs you.').waitFor()

  await workspace.set({ visibility: 'private' })
  const { page: viewer } = await (await addPerson(workspace.id, 'viewer')).visit()
  await openWorkspace(viewer, workspace)
  await viewer.getByRole('radio', { name: 'Waiting 1' }).check()
  await expect.poll(() => sideNames(viewer)).toEqual(['One'])
})

test('on a phone every filter is at least 44 px high', async () => {
  const { workspace } = await makeFiltered('Tapped', 'web')
  const { page } = await openAsOwner(workspace, '', PHONE)
  await page.getByRole('button', { name: 'live 2', exact: true }).waitFor()
  expect(await smallTargets(page)).toEqual([])
})

test('searching for channels keeps the filter of the open feed', async () => {
  const { workspace, tested } = await makeFiltered('Filtered feed', 'web')
  await api.push(tested, [text('Broken')], 'error')
  const { page } = await openAsOwner(workspace, `?channel=${tested}&show=errors`)
  await page.getByRole('searchbox').fill('web')
  await page.waitForURL(`${workspace.url}?channel=${tested}&show=errors&q=web`)
})

test('filters are in the address: a reload and a link show the same list, and clearing removes them', async () => {
  const { workspace, tested } = await makeFiltered('Shared view', 'web & more')
  const { page } = await openAsOwner(workspace)
  const steps = () => page.evaluate(() => history.length)
  const before = await steps()
  await page.getByRole('button', { name: 'web & more 2', exact: true }).click()
  await page.getByRole('searchbox').pressSequentially('web test')
  const filtered = '?q=web+test&filter.team=web+%26+more'
  await page.waitForURL(workspace.url + filtered)
  await expect.poll(steps).toBe(before)
  await page.reload()
  await expect.poll(() => sideNames(page)).toEqual(['Web test'])
  await expect.poll(() => page.getByRole('searchbox').inputValue()).toBe('web test')

  // The open channel is in the address too, and Back keeps the filters.
  await channelLink(page, 'Web test').click()
  const open = `?channel=${tested}&q=web+test&filter.team=web+%26+more`
  await page.waitForURL(workspace.url + open)
  await page.getByRole('searchbox').fill('')
  await page.waitForURL(`${workspace.url}?channel=${tested}&filter.team=web+%26+more`)
  await expect.poll(() => sideNames(page)).toEqual(['Web live', 'Web test'])
  await page.goBack()
  await expect.poll(() => sideNames(page)).toEqual(['Web test'])
  await page.goForward()
  await expect.poll(() => sideNames(page)).toEqual(['Web live', 'Web test'])

  const { page: guest } = await openAsGuest(`/w/${workspace.slug}${open}`)
  await openName(guest, 'Web test').waitFor()
  await expect.poll(() => sideNames(guest)).toEqual(['Web test'])
  const chosen = guest.getByRole('button', { name: 'web & more 1', exact: true })
  await expect.poll(() => chosen.getAttribute('aria-pressed')).toBe('true')
  await chosen.click()
  await guest.getByRole('searchbox').press('Escape')
  await guest.waitForURL(`${workspace.url}?channel=${tested}`)
  await expect.poll(() => sideNames(guest)).toHaveLength(3)
})

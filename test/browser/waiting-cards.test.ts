// Cards that wait for the viewer, in channels where many cards came after them.
import { expect, test } from 'vitest'
import { pushFillers, question, text } from './support/api.ts'
import { reopen, withdraw } from './support/decisions.ts'
import { press } from './support/page.ts'
import { api, createChannel, open, opened, openedKeeping, setStage } from './support/stage.ts'
import { card, cardTexts } from './support/visit.ts'

setStage()

/** More than a document holds. */
const MANY = 64 * 5 + 40

const ask = () => createChannel({}, text('Roll out?'), question({}, 'Approve', 'Reject'))

test('a question below the document stands above all days, and can be decided there', async () => {
  const { id } = await ask()
  await pushFillers(api, id, MANY)
  const { page } = await opened(id)
  await page.getByRole('button', { name: 'Needs you 1' }).waitFor()
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  expect((await cardTexts(page))[0]).toBe('Roll out?')
  await press(page, 'Approve')
  await card(page, 'Roll out?').getByText('You chose Approve').waitFor()
  await page.getByRole('button', { name: 'Needs you', exact: true }).click()
  await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
})

test('the filter shows a question below the document', async () => {
  const { id } = await ask()
  await pushFillers(api, id, MANY)
  const { page } = await open(`/c/${id}?show=you`)
  await card(page, 'Roll out?').waitFor()
  await expect.poll(() => cardTexts(page)).toEqual(['Roll out?'])
  await page.getByText('were checked').waitFor({ state: 'hidden' })
})

test('cards that no longer wait are read again once per page', async () => {
  const { id } = await createChannel({}, text('First?'), question({}, 'Approve first'))
  const { id: card_id } = await api.push(id, [text('Second?'), question({}, 'Approve second')])
  await pushFillers(api, id, MANY)
  const { page } = await opened(id)
  for (const name of ['First', 'Second']) {
    await press(page, `Approve ${name.toLowerCase()}`)
    await card(page, `${name}?`).getByText('You chose').waitFor()
  }
  await page.getByRole('button', { name: 'Needs you', exact: true }).waitFor()
  const statuses: number[] = []
  page.on('response', response => {
    if (response.url().endsWith('/pages/0')) statuses.push(response.status())
  })
  await api.patch(id, card_id, { status: 'error' })
  await card(page, 'Second?').getByText('Error').waitFor()
  expect(statuses.filter(status => status === 200)).toEqual([200])
})

test('an old card that asks while the page is open appears', async () => {
  const { id, card_id } = await ask()
  await withdraw(id, card_id)
  await pushFillers(api, id, MANY)
  const { page } = await opened(id)
  await page.getByRole('button', { name: 'Needs you', exact: true }).click()
  await page.getByRole('heading', { name: 'Nothing needs you' }).waitFor()
  await reopen(id, card_id)
  await card(page, 'Roll out?').waitFor()
  await page.getByRole('button', { name: 'Needs you 1' }).waitFor()
})

test('a question further down than one can see at once stands above all days', async () => {
  const { id } = await ask()
  await pushFillers(api, id, 30)
  const { page } = await opened(id)
  await page.getByRole('heading', { name: 'Needs you' }).waitFor()
  await expect.poll(async () => (await cardTexts(page))[0]).toBe('Roll out?')
  await api.push(id, [text('Newer')])
  await expect.poll(async () => (await cardTexts(page)).slice(0, 2)).toEqual(['Roll out?', 'Newer'])
})

test('offline, the filter says how many cards it has looked at', async () => {
  const { id } = await ask()
  await pushFillers(api, id, MANY)
  const { page } = await openedKeeping(id)
  await page.getByRole('button', { name: 'Needs you 1' }).waitFor()
  await page.context().setOffline(true)
  await page.goto(`${new URL(page.url()).origin}/c/${id}?show=you`)
  await page.getByRole('heading', { name: /^None in the newest \d+ cards$/ }).waitFor()
})

test('an error below the document is found by the filter', async () => {
  const { id } = await api.createChannel('Errors')
  await api.push(id, [text('Broken')], 'error')
  await pushFillers(api, id, MANY)
  const { page } = await open(`/c/${id}?show=errors`)
  await card(page, 'Broken').waitFor()
})

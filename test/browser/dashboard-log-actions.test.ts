// What an owner does in a channel's log: sends tests, and sends deliveries again.
import { expect, test } from 'vitest'
import { allDelivered, details, entry, openLog, postReply, statuses } from './support/log.ts'
import { press, section } from './support/page.ts'
import { api, hooks, open, server, session, setStage } from './support/stage.ts'

setStage()

test('too many tests are rejected with advice', async () => {
  hooks.behave(() => ({ kind: 'answer' }))
  const { id } = await api.createChannel('Tested', { webhook_url: hooks.url })
  const { page } = await openLog(id)
  await page.goto(`${server.url}/dashboard/channels/${id}`)
  const test = () => session('POST', `/channels/${id}/webhook-test`, {})
  await expect.poll(() => test().then(() => 'sent', String)).toContain('Too many tests')
  // The limit refills one test at a time, so this request uses it up before the button does.
  const words = page.getByText('Too many tests. Try again in a minute.')
  await expect
    .poll(async () => {
      await test().catch(() => {})
      await press(page, 'Send test')
      await page.getByRole('button', { name: 'Send test' }).waitFor()
      return words.count()
    })
    .toBe(1)
})

test('at a failed delivery the details show the response, and Send again is on the screen', async () => {
  hooks.behave(() => ({ kind: 'answer', status: 500, body: JSON.stringify({ error: 'x'.repeat(5_000) }) }))
  const { id } = await api.createChannel('Below the fold', { webhook_url: hooks.url })
  await postReply(id, 'Restart it')
  await allDelivered(id)
  const { page } = await openLog(id)
  await page.setViewportSize({ width: 1280, height: 700 })
  await press(page, 'Restart it')
  await section(page, 'Response as received').waitFor()
  const again = details(page).getByRole('button', { name: 'Send again' })
  await expect.poll(async () => bottomOf(await again.boundingBox())).toBeLessThan(700)
})

const bottomOf = (box: { y: number; height: number } | null) => (box ? box.y + box.height : Infinity)

test('an entry that was sent again stays until the filter changes', async () => {
  hooks.behave(() => ({ kind: 'answer', status: 500 }))
  const { id } = await api.createChannel('Stays', { webhook_url: hooks.url })
  await postReply(id, 'Restart it')
  await postReply(id, 'Something else')
  await allDelivered(id)
  const { page } = await open(`/dashboard/channels/${id}/log?status=failed`)
  await press(page, 'Restart it')
  hooks.behave(() => ({ kind: 'answer' }))
  await details(page).getByRole('button', { name: 'Send again' }).click()
  await entry(page, /Restart it.*Delivered/).waitFor()
  await page.getByLabel('Type', { exact: true }).selectOption('Reply')
  await entry(page, 'Something else').waitFor()
  await entry(page, 'Restart it').waitFor({ state: 'hidden' })
})

test('after an outage all failed deliveries are sent again, oldest first', async () => {
  hooks.behave(() => ({ kind: 'answer', status: 500 }))
  const { id } = await api.createChannel('Outage', hooks.at('/outage'))
  for (const words of ['one', 'two', 'three']) await postReply(id, words)
  await allDelivered(id)
  hooks.behave(() => ({ kind: 'answer' }))
  const { page } = await openLog(id)
  await press(page, 'Send 3 failed again…')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Send again' }).click()
  const sent = await hooks.hooks('/outage', 6)
  expect(sent.slice(3).map(({ trigger }) => trigger.text)).toEqual(['one', 'two', 'three'])
  await expect.poll(() => statuses(id)).toEqual(['success', 'success', 'success'])
})

test('after an error only those that were not sent are offered again', async () => {
  hooks.behave(() => ({ kind: 'answer', status: 500 }))
  const { id } = await api.createChannel('Interrupted', hooks.at('/interrupted'))
  for (const words of ['one', 'two', 'three']) await postReply(id, words)
  await allDelivered(id)
  hooks.behave(() => ({ kind: 'answer' }))
  const { page } = await openLog(id)
  let requests = 0
  await page.route(/\/redeliver$/, route => (++requests === 2 ? route.abort() : route.continue()))
  await press(page, 'Send 3 failed again…')
  const dialog = page.getByRole('alertdialog')
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await dialog.getByRole('alert').filter({ hasText: /\w/ }).waitFor()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await page.getByText('2 interactions queued').waitFor()
  await expect.poll(() => statuses(id)).toEqual(['success', 'success', 'success'])
  const sent = await hooks.hooks('/interrupted', 6)
  expect(sent.slice(3).map(({ trigger }) => trigger.text)).toEqual(['one', 'two', 'three'])
})

test('the log sends a test', async () => {
  hooks.behave(() => ({ kind: 'answer' }))
  const { id } = await api.createChannel('Tested', { webhook_url: hooks.url })
  const { page } = await openLog(id)
  await press(page, 'Send a test')
  await page.getByText('Test delivered: 204').waitFor()
  await entry(page, 'Test from').waitFor()
})

// From signing up to the first card, out and in again.
import { expect, test } from 'vitest'
import { makeSend, text } from '../../browser/support/api.ts'
import { openWindow, server } from '../support/stage.ts'

export function accountRules(): void {
  test('a new user gets to a first card, signs out, and signs in again', async () => {
    const page = await openWindow()
    const email = `${crypto.randomUUID()}@example.com`
    await page.goto('/')
    await page.click('link', 'Create an account')
    await page.fill('Name', 'Ann')
    await page.fill('E-mail', email)
    await page.fill(/^Password/, 'a long password')
    await page.click('button', 'Create account')
    await page.find('heading', 'Create your first workspace')
    await page.fill('Name', 'Acme')
    await page.press('Enter')
    await page.find('heading', 'Create a channel')
    await page.fill('Name', 'Deploys')
    await page.click('button', 'Create channel')

    await page.sees('Your card will appear here.')
    const command = await page.js(() => document.querySelector('.command')?.textContent ?? '')
    const [, channel = '', key = ''] = /channels\/([0-9a-f-]+).*(cf_[\w-]+)/s.exec(command) ?? []
    const send = makeSend(`${server.url}/api/v1`, { Authorization: `Bearer ${key}` })
    await send('POST', `/channels/${channel}/cards`, { blocks: [text('The first card')] })
    await page.sees('Your first card is here.')

    await page.goto('/')
    await page.click('link', /Account of/)
    await page.click('button', 'Sign out here')
    await page.find('heading', 'Live feeds for your automations')
    await page.click('link', 'Sign in')
    await page.fill('E-mail', email)
    await page.fill(/^Password/, 'a long password')
    await page.press('Enter')
    await page.find('row', /Deploys/)
    // WebKit's text has no blank between the cells of a table.
    expect(await page.text()).toMatch(/1 ?card/)
  })
}

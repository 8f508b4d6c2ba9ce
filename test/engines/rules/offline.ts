// Without a network, on the way to another page, and back.
import { expect, test } from 'vitest'
import { buttons, text } from '../../browser/support/api.ts'
import { until } from '../../support/viewer.ts'
import { api, hooks, openSignedIn, proxy } from '../support/stage.ts'

export function offlineRules(): void {
  test('a press without a network survives a reload and is sent once, and the page catches up', async () => {
    const { id } = await api.createChannel('Tunnel', hooks.at('/offline'))
    await api.push(id, [text('Before'), buttons('Approve')])
    const page = await openSignedIn()
    await page.goto('/')
    await page.find('heading', 'Channels')
    await page.goto(`/c/${id}`)
    await page.link('live')
    await page.js(() => navigator.serviceWorker.ready.then(() => true))

    proxy.setOnline(false)
    await page.link('offline')
    await page.click('button', 'Approve')
    await page.sees('Waiting for a connection')
    await page.reload()
    await page.link('offline')
    await page.sees('Before')
    await page.sees('1 interaction will be sent')
    await api.push(id, [text('Meanwhile')])
    expect(hooks.came('/offline')).toEqual([])

    proxy.setOnline(true)
    await page.link('live')
    await page.sees('Meanwhile')
    await hooks.hooks('/offline', 1)
    await page.click('textbox', /^Reply/)
    await page.type('The end')
    await page.press('Enter')
    // Webhooks arrive in order, so nothing else comes after this one.
    const sent = (await hooks.hooks('/offline', 2)).map(({ trigger }) => trigger.label ?? trigger.text)
    expect(sent).toEqual(['Approve', 'The end'])
  })

  test('a page that is left while its parts load stays quiet, and the next page appears', async () => {
    const { id } = await api.createChannel('Next')
    await api.push(id, [text('On the next page')])
    // The service worker stores no page without the script: what it needs too is held until the page is left.
    proxy.setScript(leaveWhileLoading)
    proxy.hold(/\/toast-.*\.css$|^\/c\//)
    const page = await openSignedIn()
    await page.js(path => sessionStorage.setItem('next', path), `/c/${id}`)
    await page.js(() => void setTimeout(() => location.assign('/')))
    await until(() => proxy.held().includes(`/c/${id}`), 'the next page is asked for')
    proxy.release()
    await page.link('live')
    await page.sees('On the next page')
  })

  test('a page that the back button brings back is live and keeps what is typed', async () => {
    const { id } = await api.createChannel('Left')
    await api.push(id, [text('Before')])
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    await page.goto('/docs')
    await page.find('heading', 'API reference')
    await page.back()
    await page.link('live')
    await api.push(id, [text('After the return')])
    await page.sees('After the return')
    await page.click('textbox', /^Reply/)
    await page.type('Typed after the return')
    await page.reload()
    await page.becomes('Typed after the return', () => document.querySelector('textarea')?.value)
  })
}

/** Runs in the page. Leaves home for the next page while a style of home is on its way. */
function leaveWhileLoading(): void {
  if (location.pathname !== '/') return
  const timer = setInterval(() => {
    if (!document.querySelector('link[href*="/toast-"]')) return
    clearInterval(timer)
    location.assign(sessionStorage.getItem('next') ?? '/nowhere')
  })
}

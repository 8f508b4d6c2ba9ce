import { startServer } from '/tmp/wt/v1/test/support/server.ts'
import { makeApi, text, question } from '/tmp/wt/v1/test/browser/support/api.ts'
import { launchChromium } from '/tmp/wt/v1/test/browser/support/chromium.ts'
import { visit, signIn, openChannel, takeFaults } from '/tmp/wt/v1/test/browser/support/visit.ts'
const server = await startServer({ DAILY_CARD_LIMIT: '0', DAILY_CHANNEL_LIMIT: '0', WORKSPACE_LIMIT: '0' })
const browser = await launchChromium()
try {
  const api = makeApi(server)
  const { id } = await api.createChannel('Q', {})
  console.log(JSON.stringify(await api.push(id, [text('Release 2.5.0'), question({}, 'Approve', 'Reject')])))
  const { page } = await visit(browser)
  page.on('console', m => console.log('console', m.text()))
  await signIn(page, server.url, server.owner)
  await openChannel(page, server, id)
  await page.waitForTimeout(1500)
  console.log(await page.locator('article').first().innerHTML().catch(e => String(e)))
  console.log(takeFaults())
  console.log(JSON.stringify(await (await page.request.get(`${server.url}/api/channels/${id}/first-cards`)).json()))
} finally { await browser.close(); await server.stop() }

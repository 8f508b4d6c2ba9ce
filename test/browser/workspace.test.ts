// /w/{slug}: a workspace's channels, for whoever may see them.
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServer, type TestServer } from '../support/server.ts'
import { makeApi } from './support/api.ts'
import { launchChromium } from './support/chromium.ts'
import { signIn, visit } from './support/visit.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startServer()
  browser = await launchChromium()
  await makeApi(server).createChannel('Invoices')
})

afterAll(async () => {
  await browser?.close()
  await server?.stop()
})

test('a private workspace asks for a sign-in; its owner sees its channels and opens one', async () => {
  const { page, faults } = await visit(browser)
  await page.goto(`${server.url}/w/demo`)
  await page.getByRole('heading', { name: 'This workspace is private' }).waitFor()
  await signIn(page, server)
  await page.reload()
  await page.getByRole('heading', { name: 'Demo' }).waitFor()
  await page.getByRole('link', { name: /Invoices/ }).click()
  await page.getByRole('heading', { name: 'Invoices' }).waitFor()
  expect(faults).toEqual([])
})

test('a protected one opens with its password, also by its custom slug; an unknown one is not there', async () => {
  const owner = await visit(browser)
  await signIn(owner.page, server)
  const answer = await owner.page
    .context()
    .request.patch(`${server.url}/api/workspaces/${server.workspace_id}`, {
      data: { visibility: 'protected', password: 'open sesame', custom_slug: 'shared-feeds' },
      headers: { Origin: server.url },
    })
  expect(answer.status()).toBe(200)
  const { page } = await visit(browser)
  await page.goto(`${server.url}/w/by-slug/shared-feeds`)
  await page.getByLabel('Password').fill('open sesame')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByRole('link', { name: /Invoices/ }).waitFor()
  await page.goto(`${server.url}/w/nowhere`)
  await page.getByRole('heading', { name: 'There is no such workspace' }).waitFor()
})

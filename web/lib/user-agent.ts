// Names the browser and system of a User-Agent header, so that users can tell their sessions apart.

/** Order matters: Edge also claims to be Chrome, and Chrome claims to be Safari. */
const BROWSERS: [RegExp, string, also?: RegExp][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera|OPiOS)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bYaBrowser\//, 'Yandex Browser'],
  [/\bDuckDuckGo\//, 'DuckDuckGo'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\bElectron\//, 'A desktop app'],
  [/\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari', /\bVersion\//],
  [/\bAppleWebKit\//, 'A web view'],
]

const SYSTEMS: [RegExp, string, handheld: boolean][] = [
  [/\biPhone\b/, 'iPhone', true],
  [/\biPad\b/, 'iPad', true],
  [/\bAndroid\b/, 'Android', true],
  [/\bCrOS\b/, 'ChromeOS', false],
  [/\bWindows\b/, 'Windows', false],
  [/\bMac(?:intosh| OS X)\b/, 'macOS', false],
  [/\bLinux\b/, 'Linux', false],
]

/** Tools begin with their own name: `curl/8.5.0`. */
const TOOL = /^([\w.-]{1,40})(?:\/|$)/

export function readAgent(user_agent: string | null): { name: string; handheld: boolean } {
  const text = user_agent?.trim() ?? ''
  const browser = BROWSERS.find(([pattern, , also]) => pattern.test(text) && also?.test(text) !== false)?.[1]
  const [, system, handheld = false] = SYSTEMS.find(([pattern]) => pattern.test(text)) ?? []
  const tool = text.startsWith('Mozilla/') ? undefined : TOOL.exec(text)?.[1]
  const name = browser ?? tool ?? 'An unknown browser'
  return { name: system === undefined ? name : `${name} on ${system}`, handheld }
}

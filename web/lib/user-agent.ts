// What a browser's own words say of it: enough for its owner to tell one session from another. Pure.

export type Agent = {
  /** As a person would call it: `Firefox on Windows`. */
  name: string
  handheld: boolean
}

/** Browsers pose as each other: of a pair the one that is posing comes first. */
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

/** A tool that is no browser says its name first: `curl/8.5.0`. */
const TOOL = /^([\w.-]{1,40})(?:\/|$)/

export function readAgent(user_agent: string | null): Agent {
  const words = user_agent?.trim() ?? ''
  const browser = BROWSERS.find(
    ([pattern, , also]) => pattern.test(words) && also?.test(words) !== false,
  )?.[1]
  const [, system, handheld = false] = SYSTEMS.find(([pattern]) => pattern.test(words)) ?? []
  const tool = words.startsWith('Mozilla/') ? undefined : TOOL.exec(words)?.[1]
  const name = browser ?? tool ?? 'An unknown browser'
  return { name: system === undefined ? name : `${name} on ${system}`, handheld }
}

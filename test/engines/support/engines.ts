// The browsers of the engine tests. Chromium comes from the npm registry; the others run if the system has them.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { firefox } from 'playwright-firefox'
import { launchChromium } from '../../browser/support/chromium.ts'
import type { Driver } from './driver.ts'
import { openWithPlaywright } from './playwright-driver.ts'
import { startWebKit } from './webkit.ts'

export type EngineName = 'chromium' | 'firefox' | 'webkit'
export type Engine = { open: () => Promise<Driver>; stop: () => Promise<void> }

/** Where a command is, if the system has it. */
const find = (command: string) =>
  process.env.PATH?.split(delimiter)
    .map(folder => join(folder, command))
    .find(path => existsSync(path))

/** Debian's name comes first. Elsewhere it is `firefox`. */
const firefoxPath = find('firefox-esr') ?? find('firefox')

/** The packages that an engine's tests need and the system lacks. */
export const MISSING: Record<EngineName, string[]> = {
  chromium: [],
  firefox: firefoxPath ? [] : ['firefox-esr'],
  webkit: [...(find('WebKitWebDriver') ? [] : ['webkit2gtk-driver']), ...(find('Xvfb') ? [] : ['xvfb'])],
}

/** `preferences`: Firefox's own, such as blocked site data. */
export async function launch(name: EngineName, preferences: Preferences = {}): Promise<Engine> {
  if (name === 'webkit') return startWebKit()
  const browser = await (name === 'firefox' ? launchFirefox(preferences) : launchChromium())
  return { open: () => openWithPlaywright(browser), stop: () => browser.close() }
}

type Preferences = Record<string, string | number | boolean>

function launchFirefox(firefoxUserPrefs: Preferences) {
  return firefox.launch({
    executablePath: firefoxPath,
    channel: 'moz-firefox',
    headless: true,
    firefoxUserPrefs,
  })
}

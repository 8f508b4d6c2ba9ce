// The browsers of the engine tests. Chromium comes from the npm registry; the others run if the system has them.
import { launchChromium } from '../../browser/support/chromium.ts'
import {
  type FirefoxPreferences,
  findCommand,
  firefoxPath,
  launchFirefox,
} from '../../browser/support/firefox.ts'
import type { Driver } from './driver.ts'
import { openWithPlaywright } from './playwright-driver.ts'
import { startWebKit } from './webkit.ts'

export type EngineName = 'chromium' | 'firefox' | 'webkit'
export type Engine = { open: () => Promise<Driver>; stop: () => Promise<void> }

const missing = (command: string, package_name = command) =>
  findCommand(command) ? [] : [`${package_name} isn’t installed`]

/** Why an engine's tests don't run. */
export const LEFT_OUT: Record<EngineName, string[]> = {
  chromium: [],
  firefox: firefoxPath ? [] : ['firefox-esr isn’t installed'],
  webkit: [...missing('WebKitWebDriver', 'webkit2gtk-driver'), ...missing('Xvfb', 'xvfb')],
}

/** `preferences`: Firefox's own, such as blocked site data. */
export async function launch(name: EngineName, preferences: FirefoxPreferences = {}): Promise<Engine> {
  if (name === 'webkit') return startWebKit()
  const browser = await (name === 'firefox' ? launchFirefox(preferences) : launchChromium())
  return { open: () => openWithPlaywright(browser), stop: () => browser.close() }
}

// A real Firefox: the one of the system, where there is one.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Browser } from 'playwright-core'
import { firefox } from 'playwright-firefox'

/** Where a command is, if the system has it. */
export const findCommand = (command: string) =>
  process.env.PATH?.split(delimiter)
    .map(folder => join(folder, command))
    .find(path => existsSync(path))

/** Debian's name comes first. Elsewhere it is `firefox`. */
export const firefoxPath = findCommand('firefox-esr') ?? findCommand('firefox')

export type FirefoxPreferences = Record<string, string | number | boolean>

/** `moz-firefox` is a Firefox that nobody changed for Playwright. */
export const launchFirefox = (preferences: FirefoxPreferences = {}): Promise<Browser> =>
  firefox.launch({
    executablePath: firefoxPath,
    channel: 'moz-firefox',
    headless: true,
    firefoxUserPrefs: preferences,
  })

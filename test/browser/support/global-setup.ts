// Unpacks the browser before the first test that wants one.
import { unpackChromium } from './chromium.ts'

export async function setup(): Promise<void> {
  if (!process.env.CHROMIUM_PATH) await unpackChromium()
}

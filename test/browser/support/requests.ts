// Requests of a page that fail, or whose responses wait.
import type { Page, Route } from 'playwright-core'
import { ERRORS, type ErrorCode } from '../../../shared/error-codes.ts'

/** A route that rejects every request with this error. `extra`: more fields of the body. */
export const failWith = (code: ErrorCode, extra: object = {}) => {
  const [status, error] = ERRORS[code]
  return (route: Route) =>
    route.fulfill({ status, headers: { 'Error-Code': code }, json: { error: error ?? code, ...extra } })
}

/** A promise and the function that resolves it. */
export function makeGate(): { opened: Promise<void>; open: () => void } {
  let open = () => {}
  const opened = new Promise<void>(resolve => {
    open = resolve
  })
  return { opened, open }
}

/** Requests of this method reach the server; their responses wait for `release`. `sent` resolves at the first one. */
export async function hold(page: Page, url: string | RegExp, method: string) {
  const [sent, released] = [makeGate(), makeGate()]
  await page.route(url, async route => {
    if (route.request().method() !== method) return route.fallback()
    const response = await route.fetch()
    sent.open()
    await released.opened
    await route.fulfill({ response })
  })
  return { sent: sent.opened, release: released.open }
}

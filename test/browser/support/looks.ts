// What a page is told about the agents that wait for its questions.
import type { Page, Route } from 'playwright-core'
import type { Looks } from '../../../shared/looks.ts'

export type LooksAnswer = Looks | ((route: Route) => Promise<void>)

/** Answers the page's requests for looks, until `set` changes the answer. */
export async function answerLooks(page: Page, first: LooksAnswer = { looks: {} }) {
  let answer = first
  let requests = 0
  await page.route('**/looks', route => {
    requests++
    return typeof answer === 'function' ? answer(route) : route.fulfill({ json: answer })
  })
  return {
    requests: () => requests,
    set: (next: LooksAnswer) => {
      answer = next
    },
  }
}

/** The looks of one decision. `minutes`: since its agent last looked. */
export const looksAt = (decision: string, minutes: number, waiting = false): Looks => {
  const looked_at = new Date(Date.now() - minutes * 60_000).toISOString()
  return { looks: { [decision]: { waiting, looked_at } } }
}

/** As if the person went to another tab, or came back. */
export const setVisibility = (page: Page, state: DocumentVisibilityState) =>
  page.evaluate(state => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

// A scene is a state of a page, for the screenshots and axe-core.
import type { Page } from 'playwright-core'
import { goOffline } from './interactions.ts'
import { keptForOffline } from './visit.ts'

export type Scene = {
  name: string
  signedIn: boolean
  show: (page: Page) => Promise<unknown>
  /** Draws the page whole, not only what fits the window. A dialog fills the window. */
  full?: boolean
  /** Draws the rest of the feed too, a screen at a time. */
  rest?: boolean
}

type Options = Pick<Scene, 'full' | 'rest'>

/** A page as its owner sees it. */
export const owner = (name: string, show: Scene['show'], options: Options = {}): Scene => ({
  name,
  signedIn: true,
  show,
  ...options,
})

/** A page for viewers who aren't signed in. */
export const guest = (name: string, show: Scene['show'], options: Options = {}): Scene => ({
  ...owner(name, show, options),
  signedIn: false,
})

export const UNKNOWN_ID = '3f1c1b0e-0000-4000-8000-000000000000'

/** Takes the network from a page that the service worker has kept. */
export async function keepAndGoOffline(page: Page): Promise<void> {
  await keptForOffline(page)
  await goOffline(page)
}

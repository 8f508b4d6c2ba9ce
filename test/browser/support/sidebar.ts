// Channels on a workspace's page: their list, the open one, and their connections.
import type { Locator, Page } from 'playwright-core'
import { boxOf } from './page.ts'

/** The names of the channels that a list shows, from the top. */
export const sideNames = (page: Page) => page.locator('.side-line .channel-row-name').allTextContents()

/** Opens a channel of the sidebar. */
export const choose = (page: Page, name: string) => channelLink(page, name).click()

/** A channel's link. Its name goes on with what is new in the channel. */
export const channelLink = (page: Page, name: string) =>
  page.getByRole('link', { name: new RegExp(`^${name}(,|$)`) })

/** The heading of the open channel. */
export const openName = (page: Page, name: string) =>
  page.locator('.pane-head').getByRole('heading', { name, exact: true })

/** The addresses of the page's open sockets that match. */
export function watchSockets(page: Page, part: string): Set<string> {
  const open = new Set<string>()
  page.on('websocket', socket => {
    if (!socket.url().includes(part)) return
    open.add(socket.url())
    socket.on('close', () => open.delete(socket.url()))
  })
  return open
}

export async function isInside(one: Locator, other: Locator): Promise<boolean> {
  const [inner, outer] = await Promise.all([boxOf(one), boxOf(other)])
  return inner.x >= outer.x - 1 && inner.x + inner.width <= outer.x + outer.width + 1
}

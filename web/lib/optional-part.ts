// Parts of a page that load later, and that the page can do without.
import { type Component, lazy } from 'solid-js'

/** Shows nothing if the part can't be loaded, because an error would replace the whole page. */
export const optionalPart = <P extends object>(load: () => Promise<{ default: Component<P> }>) =>
  lazy(() => load().catch(() => ({ default: (_: P) => null })))

// Starts the app, and the service worker that opens it without a network.
import './lib/schemas-without-eval.ts'
// Before the styles of the components, which override them.
import './styles/fonts.css'
import './styles/tokens.css'
import './styles/base.css'
import './ui/button.css'
import './ui/channel-list.css'
import { render } from 'solid-js/web'
import { painted } from './lib/painted.ts'
import { App } from './router.tsx'
import { startWorker } from './shell/app-version.ts'
import './styles/text-direction.css'
import './styles/print.css'

// The router throws on a path that isn't valid UTF-8. Escaped, it leads to the page for unknown addresses.
if (!isUtf8(location.pathname)) {
  history.replaceState(null, '', location.pathname.replaceAll('%', '%25') + location.search)
}

const root = document.getElementById('app')
if (!root) throw new Error('index.html must have an element #app')
// If start.js shows the page of the last visit, the browser must paint it before the app is drawn.
if (root.inert) painted().then(() => draw(root))
else draw(root)

if (import.meta.env.PROD) startWorker()

function isUtf8(path: string): boolean {
  try {
    // Used in a comparison, because the bundler drops calls whose result is unused.
    return decodeURI(path) !== ''
  } catch {
    return false
  }
}

function draw(root: HTMLElement): void {
  root.replaceChildren()
  root.inert = false
  render(() => <App />, root)
}

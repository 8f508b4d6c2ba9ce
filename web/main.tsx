// Starts the app, and the service worker that opens it without a network.
import './lib/schemas-without-eval.ts'
// Before the styles of the components, which override them.
import './styles/tokens.css'
import './styles/base.css'
import './ui/button.css'
import './ui/channel-list.css'
import { render } from 'solid-js/web'
import { App } from './router.tsx'
import { startWorker } from './shell/app-version.ts'
import './styles/feed.css'
import './styles/blocks.css'

// An address that is no UTF-8 names nothing; as it stands, the router would throw instead of saying so.
if (!isUtf8(location.pathname)) {
  history.replaceState(null, '', location.pathname.replaceAll('%', '%25') + location.search)
}

const root = document.getElementById('app')
if (!root) throw new Error('index.html has an element #app')
render(() => <App />, root)

if (import.meta.env.PROD) startWorker()

function isUtf8(path: string): boolean {
  try {
    // The bundler leaves out a call whose value is not used.
    return decodeURI(path) !== ''
  } catch {
    return false
  }
}

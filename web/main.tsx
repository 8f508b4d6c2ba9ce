// Starts the app, and the service worker that opens it without a network.
import { render } from 'solid-js/web'
import { App } from './router.tsx'
import './styles/tokens.css'
import './styles/base.css'
import './styles/shell.css'
import './styles/feed.css'
import './styles/blocks.css'
import './styles/forms.css'

const root = document.getElementById('app')
if (!root) throw new Error('index.html has an element #app')
render(() => <App />, root)

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js').catch(error => {
    console.warn('The app will not open without a network', error)
  })
}

// A part of the app was replaced by a newer version while this one ran.
window.addEventListener('vite:preloadError', () => {
  if (navigator.onLine) location.reload()
})

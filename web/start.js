// Runs while the app loads: sets the theme before the first paint, shows the channel page as it was when it was left, and
// reads the channel's local copy from IndexedDB, or requests its first cards, so that the app doesn't have to wait for them.
applyTheme(chosenTheme())
const channelId = location.pathname.match(/^\/c\/([^/]+)/)?.[1]
if (channelId) {
  document.addEventListener('readystatechange', () => showLastPage(channelId), { once: true })
  window.earlyRead = readFirst(channelId).catch(() => undefined)
  const late = new Promise(resolve => setTimeout(resolve, 300))
  Promise.race([window.earlyRead, late]).then(
    read => read?.get(`document:${channelId}`) || preloadFirst(channelId),
  )
}

function chosenTheme() {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

/**
 * Also the colour of the bars around the page, which phones have. The app calls this function too.
 * @param {string | null} theme
 */
function applyTheme(theme) {
  const chosen = theme === 'light' || theme === 'dark' ? theme : undefined
  if (chosen) document.documentElement.dataset.theme = chosen
  else delete document.documentElement.dataset.theme
  /** @type {NodeListOf<HTMLMetaElement>} */
  const metas = document.querySelectorAll('meta[data-scheme]')
  for (const meta of metas) {
    const { scheme } = meta.dataset
    if (chosen) meta.media = scheme === chosen ? 'all' : 'not all'
    else meta.media = `(prefers-color-scheme: ${scheme})`
  }
}

/**
 * Fills the page until the app draws. The app's first frame needs the topmost cards: without them, cards would vanish and
 * come back (web/data/local-copy/top-cards.ts).
 * @param {string} channelId
 */
function showLastPage(channelId) {
  const app = document.getElementById('app')
  if (!app || location.pathname + location.search + location.hash !== `/c/${channelId}`) return
  const [page, cards] = ['last-page', 'last-look'].map(readSaved)
  if (page?.channel_id !== channelId || cards?.channel_id !== channelId) return
  const build = document.querySelector('script[type="module"]')?.getAttribute('src')
  if (page.build !== build || page.width !== innerWidth) return
  app.innerHTML = page.html
  app.inert = true
}

/** @param {string} key */
function readSaved(key) {
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/**
 * Preloads the first requests of the app. The browser has requested the script before: over HTTP/1.1 the first request gets
 * the open connection, and the others wait for new ones.
 * @param {string} channelId
 */
function preloadFirst(channelId) {
  for (const name of ['view', 'first-cards']) {
    const link = document.createElement('link')
    Object.assign(link, {
      rel: 'preload',
      as: 'fetch',
      crossOrigin: '',
      href: `/api/channels/${channelId}/${name}`,
    })
    document.head.append(link)
  }
}

/**
 * The entries of the local copy, by key. Rejects if there is no database, because the app creates it.
 * @param {string} channelId
 * @returns {Promise<Map<string, any>>}
 */
function readFirst(channelId) {
  const keys = ['document', 'view', 'drafts', 'handed'].map(kind => `${kind}:${channelId}`)
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('channel-feed')
    opening.onupgradeneeded = () => opening.transaction?.abort()
    opening.onerror = reject
    opening.onsuccess = () => {
      const database = opening.result
      if (!database.objectStoreNames.contains('local')) return reject()
      const transaction = database.transaction('local')
      const local = transaction.objectStore('local')
      const read = new Map()
      // The browser may keep a page that is left, and its transaction would block the next page.
      const end = () => transaction.abort()
      addEventListener('pagehide', end)
      transaction.onabort = () => {
        removeEventListener('pagehide', end)
        reject()
      }
      for (const key of keys) {
        const reading = local.get(key)
        reading.onsuccess = () => {
          read.set(key, reading.result)
          if (read.size < keys.length) return
          // From here on it is being committed, and can't be aborted.
          removeEventListener('pagehide', end)
          resolve(read)
        }
      }
      transaction.oncomplete = () => database.close()
    }
  })
}

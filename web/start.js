// Runs while the app loads: sets the theme before the first paint, and reads the channel's local copy from IndexedDB, so
// that the app doesn't have to wait for it.
setTheme(chosenTheme())
const channelId = location.pathname.match(/^\/c\/([^/]+)/)?.[1]
if (channelId) window.earlyRead = readFirst(channelId).catch(() => undefined)

function chosenTheme() {
  try {
    return localStorage.getItem('theme')
  } catch {
    return null
  }
}

/** @param {string | null} theme */
function setTheme(theme) {
  if (theme !== 'light' && theme !== 'dark') return
  document.documentElement.dataset.theme = theme
  /** @type {NodeListOf<HTMLMetaElement>} */
  const metas = document.querySelectorAll('meta[data-scheme]')
  for (const meta of metas) meta.media = meta.dataset.scheme === theme ? 'all' : 'not all'
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
      transaction.onabort = reject
      for (const key of keys) {
        const reading = local.get(key)
        reading.onsuccess = () => {
          read.set(key, reading.result)
          if (read.size === keys.length) resolve(read)
        }
      }
      transaction.oncomplete = () => database.close()
    }
  })
}

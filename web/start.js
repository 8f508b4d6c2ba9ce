// Runs while the app is on its way: sets the chosen theme before the first paint, and reads what the app asks for
// first of a channel's local copy, so that its cards wait for neither after the other.
setTheme(chosenTheme())
const asked = location.pathname.match(/^\/c\/([^/]+)/)?.[1]
if (asked) window.earlyRead = readFirst(asked).catch(() => undefined)

/** None where the browser allows no storage. */
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
 * What web/data/local-copy/ keeps, by key. It fails where nothing is kept yet: the app makes the database.
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

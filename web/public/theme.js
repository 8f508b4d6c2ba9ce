// Sets the chosen theme before the first paint. Kept apart from the app because it must not wait for it.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') {
  document.documentElement.dataset.theme = theme
  /** @type {NodeListOf<HTMLMetaElement>} */
  const metas = document.querySelectorAll('meta[data-scheme]')
  for (const meta of metas) meta.media = meta.dataset.scheme === theme ? 'all' : 'not all'
}

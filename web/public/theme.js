// Sets the chosen theme before the first paint. Kept apart from the app because it must not wait for it.
const theme = localStorage.getItem('theme')
if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme

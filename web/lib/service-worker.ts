// The browser's service workers. Where it has none or forbids them, the app works only with a network.

/** Even asking may throw, as in a sandboxed frame. */
export function serviceWorkers(): ServiceWorkerContainer | undefined {
  try {
    return navigator.serviceWorker
  } catch {
    return undefined
  }
}

export const workerRegistration = () =>
  serviceWorkers()
    ?.getRegistration()
    .catch(() => undefined)

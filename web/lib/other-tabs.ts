// Messages between the app's tabs.

/** Returns the function that tells the other tabs. Where the browser forbids it, every tab is on its own. */
export function connectTabs<T>(name: string, onMessage: (message: T) => void): (message: T) => void {
  try {
    const channel = new BroadcastChannel(name)
    channel.onmessage = ({ data }: MessageEvent<T>) => onMessage(data)
    return message => channel.postMessage(message)
  } catch (error) {
    console.warn('Other tabs are not told', error)
    return () => {}
  }
}

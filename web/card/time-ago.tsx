// A time as people say it, with the exact one as its title. All of them share one clock.
import { createRoot, createSignal } from 'solid-js'
import { exactTime, relativeTime } from './relative-time.ts'

const TICK_MS = 20_000

const now = createRoot(() => {
  const [now, setNow] = createSignal(Date.now())
  const tick = () => {
    if (document.visibilityState === 'visible') setNow(Date.now())
  }
  setInterval(tick, TICK_MS)
  document.addEventListener('visibilitychange', tick)
  return now
})

export function TimeAgo(props: { iso: string; prefix?: string }) {
  return (
    <time dateTime={props.iso} title={exactTime(props.iso)}>
      {props.prefix}
      {relativeTime(props.iso, now())}
    </time>
  )
}

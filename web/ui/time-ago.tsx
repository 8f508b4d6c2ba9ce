// A relative time, with the exact time for the mouse, the keyboard and screen readers. All share one clock.
import { createMemo, createRoot, createSignal } from 'solid-js'
import { viewerLanguages } from '../lib/languages.ts'
import { exactTime, languageOf, relativeTime } from '../lib/relative-time.ts'
import './time-ago.css'

const TICK_MS = 20_000

const clock = createRoot(() => {
  const [now, setNow] = createSignal(Date.now())
  const [languages, setLanguages] = createSignal(viewerLanguages())
  const tick = () => {
    if (document.visibilityState === 'visible') setNow(Date.now())
  }
  setInterval(tick, TICK_MS)
  document.addEventListener('visibilitychange', tick)
  window.addEventListener('languagechange', () => setLanguages(viewerLanguages()))
  return { now, languages }
})

/** `id` is that of the relative time alone, for elements that it names. */
export function TimeAgo(props: { iso: string; prefix?: string; id?: string }) {
  const words = createMemo(() => relativeTime(props.iso, clock.now(), clock.languages()))
  const language = () => languageOf(clock.languages())
  return (
    <time class="time" dateTime={props.iso}>
      <span id={props.id}>
        {props.prefix}
        <span lang={language()}>{words()}</span>
      </span>
      <span class="time-exact" lang={language()}>
        {props.prefix}
        {exactTime(props.iso, clock.languages())}
      </span>
    </time>
  )
}

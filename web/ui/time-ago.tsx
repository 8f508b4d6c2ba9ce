// A relative time, with the exact time for the mouse, the keyboard and screen readers. All share one clock.
import { createMemo, createRoot, createSignal } from 'solid-js'
import { viewerLanguages } from '../lib/languages.ts'
import { makeTimeWords } from '../lib/relative-time.ts'
import './time-ago.css'

const TICK_MS = 20_000

const clock = createRoot(() => {
  const [now, setNow] = createSignal(Date.now())
  const [words, setWords] = createSignal(makeTimeWords(viewerLanguages()))
  const tick = () => {
    if (document.visibilityState === 'visible') setNow(Date.now())
  }
  setInterval(tick, TICK_MS)
  document.addEventListener('visibilitychange', tick)
  window.addEventListener('languagechange', () => setWords(makeTimeWords(viewerLanguages())))
  return { now, words }
})

/** In the viewer's present languages. */
export const timeWords = () => clock.words()

/** The time in milliseconds, up to 20 s old. */
export const sharedNow = () => clock.now()

/** `id` is that of the relative time alone, for elements that it names. */
export function TimeAgo(props: { iso: string; prefix?: string; id?: string }) {
  const relative = createMemo(() => timeWords().relativeTime(props.iso, clock.now()))
  const exact = () => (props.prefix ?? '') + timeWords().exactTime(props.iso)
  return (
    <time class="time" dateTime={props.iso} title={exact()}>
      <span id={props.id}>
        {props.prefix}
        <span lang={timeWords().language}>{relative()}</span>
      </span>
      <span class="sr-only" lang={timeWords().language}>
        {exact()}
      </span>
    </time>
  )
}

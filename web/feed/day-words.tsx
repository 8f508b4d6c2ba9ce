// A day: today and yesterday by name, with the date.
import { Show } from 'solid-js'
import { sharedNow, timeWords } from '../ui/time-ago.tsx'

export function DayWords(props: { iso: string }) {
  const words = () => timeWords().dayWords(props.iso, sharedNow())
  return (
    <span class="day-words" lang={timeWords().language}>
      {words().name}
      <Show when={words().date}>{date => <span class="day-date">{date()}</span>}</Show>
    </span>
  )
}

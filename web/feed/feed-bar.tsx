// The line above the cards, which stays on the screen: the day of the first visible card, what is new above it, and the filters.
import { For, type ParentProps, Show } from 'solid-js'
import { useFeed } from '../data/channel/page-feed.ts'
import { shortCount } from '../lib/unread.ts'
import { DayWords } from './day-words.tsx'
import { type FeedFilter, FILTERS } from './feed-filter.ts'
import '../ui/segments.css'
import './feed-bar.css'

const WORDS = { all: 'All', you: 'Needs you', errors: 'Errors' }

/** `top`: the first card on the screen. */
export function FeedBar(
  props: ParentProps<{ top: string; filter: FeedFilter; ref: (bar: HTMLElement) => void }>,
) {
  const { state } = useFeed()
  return (
    <div class="feed-bar" ref={props.ref}>
      <h2 class="day-line">
        <Show when={!props.filter.isPinned(props.top)} fallback={<span class="day-words">Needs you</span>}>
          <Show when={state.cards[props.top]?.created_at} fallback={<span class="sr-only">Cards</span>}>
            {iso => <DayWords iso={iso()} />}
          </Show>
        </Show>
      </h2>
      {props.children}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for a form */}
      <div class="segments" role="group" aria-label="Show">
        <For each={FILTERS}>
          {name => (
            <button
              type="button"
              class="segment"
              aria-pressed={props.filter.filter() === name}
              onClick={() => props.filter.setFilter(name)}
            >
              {WORDS[name]}
              <Show when={props.filter.count(name)}>
                {count => (
                  <span class={`count ${name === 'you' ? 'count-you' : ''}`}>{shortCount(count())}</span>
                )}
              </Show>
            </button>
          )}
        </For>
      </div>
    </div>
  )
}

// The request as code to take away. The key is never in it.
import { A } from '@solidjs/router'
import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { CopyButton, Lines } from '../ui/copy.tsx'
import { Segments } from '../ui/segments.tsx'
import { useBuilder } from './builder.ts'
import type { Destination } from './destination.ts'
import { type CardRequest, cardsUrl, inPath, KEY_VARIABLE, type Language, snippet } from './snippets.ts'

type Way = 'post' | 'put' | 'patch'

const LANGUAGES: [Language, string][] = [
  ['curl', 'curl'],
  ['javascript', 'JavaScript'],
  ['python', 'Python'],
]
const NOTES: Record<Language, string> = {
  curl: 'For bash, zsh and other shells.',
  javascript: 'With fetch: Node 20 or newer, as a module. No package is needed.',
  python: 'With urllib of the standard library: Python 3. No package is needed.',
}
const NEW: [Way, string][] = [
  ['post', 'Create'],
  ['put', 'Create or replace by key'],
]
const CHANGE: [Way, string][] = [['patch', 'Change'], ...NEW]
const KEY_EXAMPLE = 'nightly-import'

export function Code(props: { to: Destination }): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const [language, setLanguage] = createSignal<Language>('curl')
  const [wanted, setWanted] = createSignal<Way>()
  const [key, setKey] = createSignal<string>()
  const card = builder.card
  const way = () => {
    const now = wanted() ?? (card() ? 'patch' : 'post')
    return now === 'patch' && !card() ? 'post' : now
  }
  const cardKey = () => key() ?? card()?.key ?? KEY_EXAMPLE
  const url = () => cardsUrl(location.origin, props.to.channel()?.id ?? 'CHANNEL_ID')

  function request(): CardRequest | undefined {
    const body = builder.value()
    if (way() === 'post') return { method: 'POST', url: url(), body }
    if (way() === 'put')
      return { method: 'PUT', url: `${url()}/by-key/${inPath(cardKey() || KEY_EXAMPLE)}`, body }
    const plan = props.to.plan()
    if (plan.kind !== 'patch' && plan.kind !== 'same') return undefined
    const change = plan.kind === 'patch' ? plan.body : {}
    return { method: 'PATCH', url: `${url()}/${card()?.id}`, body: change }
  }
  const text = () => {
    const now = request()
    return now && snippet(language(), now)
  }

  return (
    <div class="code">
      <div class="code-tools">
        <Segments label="Language" of={LANGUAGES} value={language()} onPick={setLanguage} />
        <Segments label="Request" of={card() ? CHANGE : NEW} value={way()} onPick={setWanted} />
      </div>
      <Show when={way() === 'put'}>
        <div class="field">
          <label for={id}>Key</label>
          <input
            id={id}
            type="text"
            autocomplete="off"
            value={cardKey()}
            onInput={event => setKey(event.currentTarget.value)}
          />
          <p class="hint">
            A name of your own. Sent again with it, the card is replaced, and keeps its place.
          </p>
        </div>
      </Show>
      <Show when={builder.problems()[0]}>
        {problem => <p class="form-error">The API refuses this card as it is: {problem().message}</p>}
      </Show>
      <Show
        when={text()}
        fallback={
          <p class="hint">There is no PATCH that does this. Above it says why, and what can be done.</p>
        }
      >
        {text => (
          <div class="code-box">
            <Lines class="command" text={text()} label={`The request in ${language()}`} />
            <CopyButton text={text()} what="the code" />
          </div>
        )}
      </Show>
      <p class="hint">
        {NOTES[language()]} It reads an <A href="/dashboard/keys">API key</A> from the environment:{' '}
        <code>{KEY_VARIABLE}</code>.
      </p>
    </div>
  )
}

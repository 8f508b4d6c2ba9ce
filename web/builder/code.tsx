// The request that sends the card, as code to copy.
import { A } from '@solidjs/router'
import { createSignal, createUniqueId, type JSX, Show } from 'solid-js'
import { Command } from '../ui/copy.tsx'
import { Segments } from '../ui/segments.tsx'
import { useBuilder } from './builder.ts'
import type { Destination } from './destination.ts'
import { type ApiRequest, cardsUrl, inPath, KEY_VARIABLE, type Language, snippet } from './snippets.ts'
import './code.css'

const LANGUAGES: Record<Language, string> = { curl: 'curl', javascript: 'JavaScript', python: 'Python' }
const NOTES: Record<Language, string> = {
  curl: 'For bash, zsh and other shells.',
  javascript: 'Uses fetch: Node 20 or newer, as a module, without packages.',
  python: 'Uses urllib of the standard library: Python 3, without packages.',
}
const NEW = { post: 'Create', put: 'Create or replace by key' }
const CHANGE = { patch: 'Change', ...NEW }
const KEY_EXAMPLE = 'nightly-import'

export function Code(props: { destination: Destination }): JSX.Element {
  const builder = useBuilder()
  const id = createUniqueId()
  const [language, setLanguage] = createSignal<Language>('curl')
  const [chosen, setChosen] = createSignal<keyof typeof CHANGE>()
  const [key, setKey] = createSignal<string>()
  const { card } = builder
  const kind = () => {
    const wanted = chosen() ?? 'patch'
    return wanted === 'patch' && !card() ? 'post' : wanted
  }
  const cardKey = () => key() ?? card()?.key ?? KEY_EXAMPLE

  function request(): ApiRequest | undefined {
    const url = cardsUrl(location.origin, props.destination.channel()?.id ?? 'CHANNEL_ID')
    const body = builder.value()
    if (kind() === 'post') return { method: 'POST', url, body }
    if (kind() === 'put')
      return { method: 'PUT', url: `${url}/by-key/${inPath(cardKey() || KEY_EXAMPLE)}`, body }
    const plan = props.destination.plan()
    if (plan.kind !== 'patch' && plan.kind !== 'same') return undefined
    return { method: 'PATCH', url: `${url}/${card()?.id}`, body: plan.kind === 'patch' ? plan.body : {} }
  }
  const text = () => {
    const now = request()
    return now && snippet(language(), now)
  }

  return (
    <div class="stack code">
      <div class="result-tools">
        <Segments label="Language" of={LANGUAGES} value={language()} onPick={setLanguage} />
        <Segments label="Request" of={card() ? CHANGE : NEW} value={kind()} onPick={setChosen} />
      </div>
      <Show when={kind() === 'put'}>
        <div class="field">
          <label for={id}>Key</label>
          <input
            id={id}
            autocomplete="off"
            value={cardKey()}
            onInput={event => setKey(event.currentTarget.value)}
          />
          <p class="hint">A name you choose. The same key replaces the card in its place.</p>
        </div>
      </Show>
      <Show when={builder.problems()[0]}>
        {problem => <p class="form-error">The API rejects this card: {problem().message}</p>}
      </Show>
      <Show
        when={text()}
        fallback={<p class="hint">A PATCH can’t make these changes. See the reasons above.</p>}
      >
        {text => (
          <Command
            text={text()}
            label={`The request in ${language()}`}
            language={LANGUAGES[language()]}
            what="the code"
          />
        )}
      </Show>
      <p class="hint">
        {NOTES[language()]} The code reads an <A href="/dashboard/keys">API key</A> from the environment:{' '}
        <code>{KEY_VARIABLE}</code>.
      </p>
    </div>
  )
}

// The request as code in three languages, and a button that sends it.
import { A } from '@solidjs/router'
import { createSignal, createUniqueId, For, type JSX, Match, Show, Switch } from 'solid-js'
import { LANGUAGES, type Language, snippet } from '../builder/snippets.ts'
import { useSession } from '../data/session.tsx'
import { setTabKey, tabKey } from '../data/tab-key.ts'
import { Button } from '../ui/button.tsx'
import { requestConfirmation } from '../ui/confirmation.tsx'
import { Command, Lines } from '../ui/copy.tsx'
import { Mark } from '../ui/status.tsx'
import { Tab, TabList } from '../ui/tabs.tsx'
import { missingFrom, requestOf } from './api-request.ts'
import { useInputs } from './inputs.ts'
import type { Operation, Parameter } from './openapi.ts'
import { createSender } from './send.ts'

const NAMES: Record<Language, string> = { curl: 'curl', javascript: 'JavaScript', python: 'Python' }

const KEY_FIELD = 'ref-key'

/** Stays while the page shows other operations. */
const [language, setLanguage] = createSignal<Language>('curl')

export function RequestPanel(props: { operation: Operation }): JSX.Element {
  const inputs = useInputs()
  const id = createUniqueId()
  const sender = createSender()
  const [problem, setProblem] = createSignal('')
  const valueFor = (parameter: Parameter) => inputs.valueFor(props.operation, parameter)
  const request = () => {
    const body = props.operation.body ? inputs.parsedBody(props.operation) : { value: undefined }
    const { origin } = location
    return body && requestOf(props.operation, { origin, valueFor, body: body.value, key: tabKey() })
  }

  async function send(): Promise<void> {
    const [missing] = missingFrom(props.operation, valueFor)
    const now = request()
    setProblem('')
    if (missing) return stopAt(`ref-${missing.name}`, `Fill in ${missing.name}.`)
    if (!now) return stopAt('ref-body', 'The body isn’t JSON.')
    if (props.operation.needsKey && tabKey() === '') return stopAt(KEY_FIELD, 'Paste an API key first.')
    const question = `${props.operation.summary}? This changes real data.`
    if (now.method === 'DELETE' && !(await requestConfirmation({ question, yes: 'Send', danger: true })))
      return
    await sender.send(now)
  }

  function stopAt(field: string, words: string): void {
    setProblem(words)
    document.getElementById(field)?.focus()
  }

  return (
    <section class="ref-panel box" aria-label="Request">
      <TabList
        class="ref-tabs"
        label="Language"
        names={LANGUAGES}
        selected={language()}
        idOf={name => `${id}-${name}`}
        onStep={setLanguage}
      >
        <For each={LANGUAGES}>
          {name => (
            <Tab
              id={`${id}-${name}`}
              controls={`${id}-code`}
              selected={language() === name}
              onSelect={() => setLanguage(name)}
            >
              {NAMES[name]}
            </Tab>
          )}
        </For>
      </TabList>
      <div class="ref-panel-body">
        <div id={`${id}-code`} role="tabpanel" aria-labelledby={`${id}-${language()}`}>
          <Show when={request()} fallback={<p class="hint">The body isn’t JSON.</p>}>
            {request => (
              <Command
                text={snippet(language(), request())}
                label={`The request in ${NAMES[language()]}`}
                language={NAMES[language()]}
                what="the code"
              />
            )}
          </Show>
        </div>
        <Show when={props.operation.needsKey}>
          <KeyField />
        </Show>
        <div class="line">
          <Button class="button button-primary" onClick={send}>
            Send request
          </Button>
          <span class="form-error" role="status">
            {problem()}
          </span>
        </div>
        <Response sender={sender} />
      </div>
    </section>
  )
}

function KeyField(): JSX.Element {
  const { user } = useSession()
  return (
    <div class="field">
      <label for={KEY_FIELD}>API key</label>
      <input
        id={KEY_FIELD}
        type="password"
        autocomplete="off"
        spellcheck={false}
        placeholder="cf_…"
        aria-describedby={`${KEY_FIELD}-about`}
        value={tabKey()}
        onInput={event => setTabKey(event.currentTarget.value.trim())}
      />
      <p class="hint" id={`${KEY_FIELD}-about`}>
        Paste a key to send requests from here. It appears in the code and is forgotten when this tab closes
        or reloads.{' '}
        <A href={user() ? '/dashboard/keys?new=key' : '/sign-in'}>
          {user() ? 'Create a key' : 'Sign in to create one'}
        </A>
      </p>
    </div>
  )
}

function Response(props: { sender: ReturnType<typeof createSender> }): JSX.Element {
  const answered = () => {
    const state = props.sender.state()
    return state.state === 'answered' ? state : undefined
  }
  return (
    <>
      <div role="status">
        <Switch>
          <Match when={props.sender.state().state === 'sent'}>
            <p class="quiet">Sending…</p>
          </Match>
          <Match when={props.sender.state().state === 'failed'}>
            <p class="form-error">The request failed. Check your connection and the headers.</p>
          </Match>
          <Match when={answered()}>
            {answer => (
              <p class="across">
                <Mark status={answer().status < 400 ? 'success' : 'error'} />
                <b>{answer().status}</b>
                <span class="quiet">{answer().ms} ms</span>
              </p>
            )}
          </Match>
        </Switch>
      </div>
      <Show when={answered()}>
        {answer => (
          <>
            <Show when={answer().open}>
              <Button onClick={props.sender.stop}>Stop</Button>
            </Show>
            <Show when={answer().text}>
              <Lines class="command box ref-answer" label="Response" text={answer().text} />
            </Show>
            <details>
              <summary>Response headers</summary>
              <Lines
                class="command box"
                label="Response headers"
                text={answer()
                  .headers.map(([name, value]) => `${name}: ${value}`)
                  .join('\n')}
              />
            </details>
          </>
        )}
      </Show>
    </>
  )
}

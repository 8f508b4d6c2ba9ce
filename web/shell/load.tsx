// Loads something, and says how that stands: loading, ready, or failed with a way to try again.
import { A, useLocation } from '@solidjs/router'
import { type Accessor, createSignal, type JSX, Match, onCleanup, Switch } from 'solid-js'
import { Refused, Unreachable } from '../api.ts'
import { signInPath } from './return-path.ts'

export type Load<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; message: string; status: number | null }

export type Loading<T> = {
  load: Accessor<Load<T>>
  /** Begins anew. */
  again: () => Promise<void>
  /** What is known without asking: a change that was made here. */
  set: (value: T) => void
}

/** What could not be had without a connection is asked for again when it is back. */
export function createLoad<T>(read: () => Promise<T>): Loading<T> {
  const [load, setLoad] = createSignal<Load<T>>({ state: 'loading' })

  async function again(): Promise<void> {
    setLoad({ state: 'loading' })
    try {
      const value = await read()
      setLoad({ state: 'ready', value })
    } catch (error) {
      if (!(error instanceof Refused || error instanceof Unreachable)) throw error
      const status = error instanceof Refused ? error.status : null
      setLoad({ state: 'failed', message: error.message, status })
    }
  }

  function onOnline(): void {
    if (load().state === 'failed') again()
  }

  window.addEventListener('online', onOnline)
  onCleanup(() => window.removeEventListener('online', onOnline))
  again()
  return { load, again, set: value => setLoad({ state: 'ready', value }) }
}

export type LoadedProps<T> = {
  load: Load<T>
  again: () => void
  /** What stands there meanwhile; `Loading…` where it is not given. */
  waiting?: JSX.Element
  /** The value, once it is there. */
  children: (value: Accessor<T>) => JSX.Element
}

export function Loaded<T>(props: LoadedProps<T>): JSX.Element {
  const ready = () => (props.load.state === 'ready' ? props.load : undefined)
  const failed = () => (props.load.state === 'failed' ? props.load : undefined)
  return (
    <Switch fallback={props.waiting ?? <p class="quiet">Loading…</p>}>
      <Match when={ready()}>{ready => props.children(() => ready().value)}</Match>
      <Match when={failed()}>
        {failed => <Failed message={failed().message} status={failed().status} again={props.again} />}
      </Match>
    </Switch>
  )
}

function Failed(props: { message: string; status: number | null; again: () => void }): JSX.Element {
  const location = useLocation()
  return (
    <p class="failure" role="alert">
      <Switch>
        <Match when={props.status === 401}>
          Your session has ended. <A href={signInPath(location.pathname)}>Sign in</A>
        </Match>
        <Match when={props.status === 403 || props.status === 404}>
          {props.message}. <A href="/">All channels</A>
        </Match>
        <Match when={true}>
          {props.message}{' '}
          <button type="button" class="link" onClick={() => props.again()}>
            Try again
          </button>
        </Match>
      </Switch>
    </p>
  )
}

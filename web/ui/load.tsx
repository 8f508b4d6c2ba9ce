// Loads something, and says how that stands: loading, ready, or failed with a way to try again.
import { A, useLocation } from '@solidjs/router'
import { type Accessor, createSignal, type JSX, Match, onCleanup, Switch } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { signInPath } from '../lib/return-path.ts'
import { focusMain } from './arrival.tsx'

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
  /** How often it was begun, or known without asking: of answers that overtake each other the latest counts. */
  let turn = 0

  function show(next: Load<T>): void {
    turn++
    setLoad(next)
  }

  async function again(): Promise<void> {
    show({ state: 'loading' })
    const own = turn
    const answer = await ask()
    if (own === turn) show(answer)
  }

  async function ask(): Promise<Load<T>> {
    try {
      return { state: 'ready', value: await read() }
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      return { state: 'failed', message: error.message, status: error.status }
    }
  }

  function onOnline(): void {
    if (load().state === 'failed') again()
  }

  window.addEventListener('online', onOnline)
  onCleanup(() => window.removeEventListener('online', onOnline))
  again()
  return { load, again, set: value => show({ state: 'ready', value }) }
}

/**
 * Reads again when one comes back to the window, or the network does, and shows what was changed elsewhere meanwhile.
 * Not under an open dialog: it stands in what would be drawn anew.
 */
export function createFreshLoad<T>(read: () => Promise<T>): Loading<T> {
  const loading = createLoad(read)
  const { load, set } = loading
  let asking = false
  let left = false

  async function refresh(): Promise<void> {
    const before = load()
    if (asking || before.state !== 'ready' || document.visibilityState === 'hidden') return
    asking = true
    try {
      const value = reuse(before.value, await read())
      // What was changed here since is newer.
      if (value !== before.value && load() === before && !document.querySelector('.dialog')) set(value)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (isGone(error.status) && !left) await loading.again()
    } finally {
      asking = false
    }
  }

  const moments: [EventTarget, string][] = [
    [window, 'focus'],
    [window, 'online'],
    [document, 'visibilitychange'],
  ]
  for (const [target, moment] of moments) target.addEventListener(moment, refresh)
  onCleanup(() => {
    left = true
    for (const [target, moment] of moments) target.removeEventListener(moment, refresh)
  })
  return loading
}

/** `after`, with what is the same in `before` being the very same: so lists draw only what has changed. */
function reuse<T>(before: T, after: T): T {
  if (isSame(before, after)) return before
  if (Array.isArray(before) && Array.isArray(after)) {
    const items = after.map(item => before.find(known => isSame(known, item)) ?? item)
    return Object.assign(after, items)
  }
  if (isObject(before) && isObject(after)) {
    for (const name in after) after[name] = reuse(before[name], after[name])
  }
  return after
}

const isObject = <T,>(value: T): value is T & object => typeof value === 'object' && value !== null
const isSame = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const isGone = (status: number | null) => status === 403 || status === 404

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

  /** The button goes, and with it the focus. */
  function again(): void {
    focusMain()
    props.again()
  }

  return (
    <p class="failure" role="alert">
      <Switch>
        <Match when={props.status === 401}>
          Your session has ended. <A href={signInPath(location.pathname + location.search)}>Sign in</A>
        </Match>
        <Match when={isGone(props.status)}>
          {props.message}. <A href="/">All channels</A>
        </Match>
        <Match when={true}>
          {props.message}{' '}
          <button type="button" class="link" onClick={again}>
            Try again
          </button>
        </Match>
      </Switch>
    </p>
  )
}

// Loads a value and shows its state: loading, ready, or failed with a button to try again.
import { A, useLocation } from '@solidjs/router'
import { type Accessor, createSignal, type JSX, Match, onCleanup, Switch } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { errorText } from '../lib/error-text.ts'
import { listen } from '../lib/listen.ts'
import { signInPath } from '../lib/return-path.ts'
import { Banner } from './banner.tsx'
import { LinkButton } from './button.tsx'
import { IconWarning } from './icons.tsx'
import { focusMain } from './page-announcement.tsx'
import { Skeletons } from './skeletons.tsx'

export type Load<T> =
  | { state: 'loading' }
  | { state: 'ready'; value: T }
  | { state: 'failed'; message: string; status: number | null }

export const readyValue = <T,>(load: Load<T>): T | undefined =>
  load.state === 'ready' ? load.value : undefined

export const failure = (load: Load<unknown>) => (load.state === 'failed' ? load : undefined)

export type Loading<T> = {
  load: Accessor<Load<T>>
  again: () => Promise<void>
  /** Replaces the value after a change made here, without a request. */
  set: (value: T) => void
}

export function createLoad<T>(read: () => Promise<T>): Loading<T> {
  const [load, setLoad] = createSignal<Load<T>>({ state: 'loading' })
  /** Counts the changes of `load`, so that a response that comes too late is dropped. */
  let version = 0

  function change(next: Load<T>): void {
    version++
    setLoad(next)
  }

  async function again(): Promise<void> {
    change({ state: 'loading' })
    const own = version
    const result = await read().then(
      (value): Load<T> => ({ state: 'ready', value }),
      (error): Load<T> => {
        if (!(error instanceof ChannelFeedError)) throw error
        return { state: 'failed', message: errorText(error), status: error.status }
      },
    )
    if (own === version) change(result)
  }

  listen(window, 'online', () => {
    if (load().state === 'failed') again()
  })
  again()
  return { load, again, set: value => change({ state: 'ready', value }) }
}

/** Also reads again when the window gets the focus or the network is back, to show changes made elsewhere. */
export function createFreshLoad<T>(read: () => Promise<T>): Loading<T> {
  const loading = createLoad(read)
  const { load, set } = loading
  let reading = false
  let left = false
  onCleanup(() => {
    left = true
  })

  async function refresh(): Promise<void> {
    const before = load()
    if (reading || before.state !== 'ready' || document.visibilityState === 'hidden') return
    reading = true
    try {
      const value = reuse(before.value, await read())
      // A change made here meanwhile is newer, and a redraw would close an open dialog.
      if (value !== before.value && load() === before && !document.querySelector('.dialog')) set(value)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      if (isGone(error.status) && !left) await loading.again()
    } finally {
      reading = false
    }
  }

  listen(window, 'focus', refresh)
  listen(window, 'online', refresh)
  listen(document, 'visibilitychange', refresh)
  return loading
}

/** `after` with its unchanged parts taken from `before`, so that lists redraw only what changed. */
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

export function Loaded<T>(props: {
  load: Load<T>
  again: () => void
  waiting?: JSX.Element
  children: (value: Accessor<T>) => JSX.Element
}): JSX.Element {
  const ready = () => (props.load.state === 'ready' ? props.load : undefined)
  const failed = () => failure(props.load)
  return (
    <Switch fallback={props.waiting ?? <Skeletons label="Loading" />}>
      <Match when={ready()}>{ready => props.children(() => ready().value)}</Match>
      <Match when={failed()}>{failed => <Failed {...failed()} again={props.again} />}</Match>
    </Switch>
  )
}

function Failed(props: { message: string; status: number | null; again: () => void }): JSX.Element {
  const location = useLocation()

  function tryAgain(): void {
    // The button disappears and would lose the focus.
    focusMain()
    props.again()
  }

  return (
    <div class="failure" role="alert">
      <Banner status="error" icon={<IconWarning />}>
        <Switch>
          <Match when={props.status === 401}>
            Your session has ended. <A href={signInPath(location.pathname + location.search)}>Sign in</A>
          </Match>
          <Match when={isGone(props.status)}>
            {props.message}. <A href="/">All channels</A>
          </Match>
          <Match when={true}>
            {props.message} <LinkButton onClick={tryAgain}>Try again</LinkButton>
          </Match>
        </Switch>
      </Banner>
    </div>
  )
}

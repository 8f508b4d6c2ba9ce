// Text to be taken away: a button that copies it, and secrets that are shown once.
import { createSignal, type JSX, onCleanup } from 'solid-js'
import '../styles/command.css'

const SAID_MS = 2_500

type Outcome = 'idle' | 'copied' | 'failed'
const WORDS: Record<Outcome, string> = {
  idle: 'Copy',
  copied: 'Copied',
  failed: 'Select and copy it by hand',
}

/** `what` says in the button's name what is copied. */
export function CopyButton(props: { text: string; what: string }): JSX.Element {
  const [outcome, setOutcome] = createSignal<Outcome>('idle')
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))

  async function copy(): Promise<void> {
    setOutcome((await copyText(props.text)) ? 'copied' : 'failed')
    clearTimeout(timer)
    timer = setTimeout(setOutcome, SAID_MS, 'idle')
  }

  return (
    <button type="button" class="button button-secondary button-small" onClick={copy}>
      <span aria-live="polite">{WORDS[outcome()]}</span>
      <span class="sr-only"> {props.what}</span>
    </button>
  )
}

/** Browsers give the clipboard to pages over https and on localhost only. */
export async function copyText(text: string): Promise<boolean> {
  if (navigator.clipboard === undefined) return copySelected(text)
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => copySelected(text),
  )
}

function copySelected(text: string): boolean {
  const holder = document.createElement('textarea')
  holder.value = text
  holder.style.position = 'fixed'
  const focused = document.activeElement
  document.body.append(holder)
  holder.select()
  const copied = document.execCommand('copy')
  holder.remove()
  if (focused instanceof HTMLElement) focused.focus()
  return copied
}

/** Lines to copy whole. */
export function Command(props: { text: string; what: string }): JSX.Element {
  return (
    <div class="command-box">
      <Lines class="command" text={props.text} label={props.what} />
      <CopyButton text={props.text} what={props.what} />
    </div>
  )
}

/** Text of a machine, as it is. */
export function Lines(props: { text: string; label: string; class?: string }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by keyboard
    <section class={props.class ?? 'wire'} tabIndex={0} aria-label={props.label}>
      {props.text}
    </section>
  )
}

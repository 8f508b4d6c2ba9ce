// A button that copies text, and boxes that show text unchanged.
import { createSignal, For, type JSX, onCleanup } from 'solid-js'
import { copyText } from '../lib/clipboard.ts'
import { codeParts, jsonParts } from '../lib/json-parts.ts'
import { Button } from './button.tsx'
import './copy.css'

const RESULT_MS = 2_500
const LABELS = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy it by hand' }

/** `what` is copied. `label`: instead of “Copy”, if it says enough by itself. */
export function CopyButton(props: {
  text: string
  what: string
  label?: string
  primary?: boolean
}): JSX.Element {
  const [result, setResult] = createSignal<keyof typeof LABELS>('idle')
  let timer: ReturnType<typeof setTimeout> | undefined
  onCleanup(() => clearTimeout(timer))

  async function copy(): Promise<void> {
    setResult((await copyText(props.text)) ? 'copied' : 'failed')
    clearTimeout(timer)
    timer = setTimeout(setResult, RESULT_MS, 'idle')
  }

  return (
    <Button
      class={`button ${props.primary ? 'button-primary' : 'button-secondary button-small'}`}
      onClick={copy}
    >
      <span aria-live="polite">{(result() === 'idle' && props.label) || LABELS[result()]}</span>
      <span class="sr-only">{props.label === undefined || result() !== 'idle' ? ` ${props.what}` : ''}</span>
    </Button>
  )
}

/** `what` names the button, and the box too if it has no `label`. */
export function Command(props: {
  text: string
  what: string
  label?: string
  language?: string
}): JSX.Element {
  return (
    <div class="code-box command-box">
      <div class="code-head">
        <span>{props.language ?? 'curl'}</span>
        <CopyButton text={props.text} what={props.what} />
      </div>
      <Lines class="command" text={props.text} label={props.label ?? props.what} code />
    </div>
  )
}

/** JSON gets colours, and so does `code`. */
export function Lines(props: { text: string; label: string; class?: string; code?: boolean }): JSX.Element {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard has to reach a box that scrolls
    <section class={props.class ?? 'wire'} tabIndex={0} aria-label={props.label}>
      <For each={props.code ? codeParts(props.text) : jsonParts(props.text)}>
        {({ text, kind }) => (kind ? <span class={`json-${kind}`}>{text}</span> : text)}
      </For>
    </section>
  )
}

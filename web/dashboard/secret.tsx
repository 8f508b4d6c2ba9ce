// A secret with the button that copies it.
import type { JSX } from 'solid-js'
import { CopyButton } from '../ui/copy.tsx'
import './secret.css'

export function Secret(props: { text: string; name: string; children?: JSX.Element }): JSX.Element {
  return (
    <div class="secret line">
      <code class="box" data-secret>
        {props.text}
      </code>
      <CopyButton text={props.text} what={props.name} />
      {props.children}
    </div>
  )
}

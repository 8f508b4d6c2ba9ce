// A secret with the button that copies it.
import type { JSX } from 'solid-js'
import { CopyButton } from '../ui/copy.tsx'
import './secret.css'

/** `primary`: copying it is what people should do next. */
export function Secret(props: {
  text: string
  name: string
  primary?: boolean
  children?: JSX.Element
}): JSX.Element {
  return (
    <div class="secret line">
      <code class="box" data-secret>
        {props.text}
      </code>
      <CopyButton text={props.text} what={props.name} primary={props.primary} />
      {props.children}
    </div>
  )
}

// Plain text with links. It is never HTML.
import { For, Show } from 'solid-js'
import { linkParts } from '../lib/link-parts.ts'

export function LinkedText(props: { content: string }) {
  return (
    <For each={linkParts(props.content)}>
      {part => (
        <Show when={part.href} fallback={part.text}>
          {href => (
            <a href={href()} target="_blank" rel="noopener noreferrer nofollow">
              {part.text}
            </a>
          )}
        </Show>
      )}
    </For>
  )
}

// An image from another host, loaded when it comes near the screen, with space reserved for it. The host learns the
// viewer's network address and the time, but not which page shows the image.
import { createEffect, createSignal, on, Show } from 'solid-js'
import type { BlockOf } from '../../../shared/block.ts'
import { listen } from '../../lib/listen.ts'
import { LinkButton } from '../../ui/button.tsx'
import { IconImage } from '../../ui/icons.tsx'
import type { BlockDisplay } from './display.ts'
import './image.css'
import './unshown.css'

/** By URL. An image that scrolls back into view has its size from the start. */
const knownSizes = new Map<string, { width: number; height: number }>()

export const imageDisplay: BlockDisplay<'image'> = {
  View: ImageLink,
  words: ({ alt, url }) => [alt, url].filter(Boolean).join(': '),
}

function ImageLink(props: { block: BlockOf<'image'> }) {
  const [loading, setLoading] = createSignal<'waiting' | 'loaded' | 'broken'>('waiting')
  const retry = () => setLoading(now => (now === 'broken' ? 'waiting' : now))
  const size = () => knownSizes.get(url())
  const url = () => props.block.url
  createEffect(on(url, () => setLoading('waiting'), { defer: true }))
  listen(window, 'online', retry)

  function onLoad(event: Event & { currentTarget: HTMLImageElement }): void {
    const { naturalWidth: width, naturalHeight: height } = event.currentTarget
    knownSizes.set(props.block.url, { width, height })
    setLoading('loaded')
  }

  return (
    <Show when={loading() !== 'broken'} fallback={<BrokenImage {...props.block} onRetry={retry} />}>
      <a class="image" href={props.block.url} target="_blank" rel="noopener noreferrer nofollow">
        <img
          classList={{ 'image-waiting': loading() === 'waiting' && !size() }}
          src={props.block.url}
          alt={props.block.alt ?? 'Image'}
          width={size()?.width}
          height={size()?.height}
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onLoad={onLoad}
          onError={() => setLoading('broken')}
        />
      </a>
    </Show>
  )
}

function BrokenImage(props: { url: string; alt?: string; onRetry: () => void }) {
  const name = () => props.alt ?? 'Image'
  return (
    <div class="unshown">
      <IconImage />
      <span>
        {name()} <span class="sr-only">could not be loaded: {props.url}</span>
      </span>
      <LinkButton aria-label={`Try again: ${name()}`} onClick={() => props.onRetry()}>
        Try again
      </LinkButton>
    </div>
  )
}

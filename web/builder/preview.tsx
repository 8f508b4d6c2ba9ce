// The card as viewers will see it, by the very components that show it to them. It can be tried: what a click would
// send is shown, and nothing is sent.
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { Card } from '../card/card.tsx'
import { FeedContext } from '../data/channel/feed-context.ts'
import { OutboxContext } from '../data/outbox/outbox-context.tsx'
import { Lines } from '../ui/copy.tsx'
import { Segments } from '../ui/segments.tsx'
import { useBuilder } from './builder.ts'
import { formatJson } from './format-json.ts'
import { createPreviewFeed, makeShown, PREVIEW, type Shown, type Told } from './preview-feed.ts'

type Look = 'app' | 'light' | 'dark'
type Width = 'wide' | 'phone'

const LOOKS: [Look, string][] = [
  ['app', 'As the app'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]
const WIDTHS: [Width, string][] = [
  ['wide', 'Wide'],
  ['phone', 'Phone'],
]

/** `viewOnly`: the chosen channel is one where nobody can act. */
export function Preview(props: { viewOnly: boolean }): JSX.Element {
  const builder = useBuilder()
  const show = makeShown()
  const shown = createMemo(() => show(builder.value(), builder.keys()))
  const preview = createPreviewFeed(shown, () => builder.card()?.created_at)
  const [look, setLook] = createSignal<Look>('app')
  const [width, setWidth] = createSignal<Width>('wide')
  const acts = () => shown().blocks.some(block => 'disabled' in block || block.type === 'button')
  const card = () => (shown().blocks.length > 0 ? preview.feed.state.cards[PREVIEW] : undefined)
  return (
    <FeedContext.Provider value={preview.feed}>
      <OutboxContext.Provider value={preview.outbox}>
        <div class="preview-tools">
          <Segments label="Theme of the preview" of={LOOKS} value={look()} onPick={setLook} />
          <Segments label="Width of the preview" of={WIDTHS} value={width()} onPick={setWidth} />
        </div>
        <div
          class={`stage stage-${width()} ${look() === 'app' ? '' : 'themed'}`}
          data-theme={look() === 'app' ? undefined : look()}
        >
          <Show when={card()} fallback={<p class="stage-empty">The card appears here as you compose it.</p>}>
            {card => <Card card={card()} position={1} total={1} />}
          </Show>
        </div>
        <p class="hint preview-note" role="status">
          <Show when={builder.malformed() && card()}>
            The JSON cannot be read. This is the card as it last could be.{' '}
          </Show>
          <Show when={shown().wrong > 0}>{wrongWords(shown())} </Show>
          <Show when={props.viewOnly && acts()}>
            The chosen channel is for viewing only: buttons and fields do nothing there.{' '}
          </Show>
          <Show when={acts() && !preview.told()}>You can try it. Nothing is sent from here.</Show>
        </p>
        <Show when={preview.told()}>{told => <ToldView told={told()} onDismiss={preview.forget} />}</Show>
      </OutboxContext.Provider>
    </FeedContext.Provider>
  )
}

function wrongWords({ wrong, missing }: Shown): string {
  const fate = missing === wrong ? 'left out' : 'shown as it last was right'
  if (wrong === 1) return `One block has errors, and is ${fate}.`
  return `${wrong} blocks have errors, and are ${fate === 'left out' ? fate : 'shown as they last were right'}.`
}

function ToldView(props: { told: Told; onDismiss: () => void }): JSX.Element {
  const json = () => formatJson({ trigger: props.told.trigger, card_state: props.told.card_state })
  return (
    <section class="told" aria-label="What would be sent">
      <p role="status">
        <strong>{props.told.label}</strong>: nothing was sent. In a channel your automation gets this, with
        ids and the time:
      </p>
      <Lines text={json()} label="What would be sent, as JSON" />
      <button type="button" class="link" onClick={() => props.onDismiss()}>
        Dismiss
      </button>
    </section>
  )
}

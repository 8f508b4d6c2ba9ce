// The card as viewers will see it, in the same components. A click shows what would be sent, and sends nothing.
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import type { Block } from '../../shared/block.ts'
import { CardView } from '../card/card.tsx'
import { CardHostContext } from '../card/card-host.ts'
import { LinkButton } from '../ui/button.tsx'
import { Lines } from '../ui/copy.tsx'
import { Segments } from '../ui/segments.tsx'
import { useBuilder } from './builder.ts'
import { formatJson } from './format-json.ts'
import { makePreviewCards, type PreviewCard } from './preview-card.ts'
import { createPreviewHost, type PreviewedInteraction, type PreviewHost } from './preview-host.ts'
import './preview.css'

const THEMES = { app: 'Same as app', light: 'Light', dark: 'Dark' }
const MAY = { may: 'may decide', not: 'may not' }
const WIDTHS = { wide: 'Wide', phone: 'Phone' }

export function Preview(props: { viewOnly: boolean }): JSX.Element {
  const builder = useBuilder()
  const previewCardOf = makePreviewCards()
  const previewCard = createMemo(() => previewCardOf(builder.value(), builder.keys(), builder.card()))
  const preview = createPreviewHost(previewCard, () => builder.card()?.created_at)
  const [theme, setTheme] = createSignal<keyof typeof THEMES>('app')
  const [width, setWidth] = createSignal<keyof typeof WIDTHS>('wide')
  const interactive = () => previewCard().blocks.some(isInteractive)
  /** Who may not decide can only use the rest of the card. */
  const canBeTried = () =>
    previewCard().blocks.some(
      block => isInteractive(block) && (preview.mayDecide() || !('decision' in block)),
    )
  const isEmpty = () => previewCard().blocks.length === 0
  const notes = () => [
    builder.malformed() && !isEmpty() && 'The JSON isn’t valid. This is the last valid card.',
    previewCard().wrong > 0 && errorNote(previewCard()),
    props.viewOnly && interactive() && 'The channel is view-only: buttons and fields do nothing there.',
    canBeTried() && !preview.interaction() && 'Try it. Nothing is sent from here.',
  ]
  return (
    <>
      <h2 class="sr-only">Preview</h2>
      <div class="result-tools">
        <Segments label="Theme of the preview" of={THEMES} value={theme()} onPick={setTheme} />
        <Segments label="Width of the preview" of={WIDTHS} value={width()} onPick={setWidth} />
      </div>
      <Show when={previewCard().asked.length > 0}>
        <div class="preview-as">
          <span aria-hidden="true">As somebody who</span>
          <Segments
            label="The preview is for somebody who"
            of={MAY}
            value={preview.mayDecide() ? 'may' : 'not'}
            onPick={value => preview.chooseMayDecide(value === 'may')}
          />
        </div>
      </Show>
      <div
        class={`box stage stage-${width()} ${theme() === 'app' ? '' : 'themed'}`}
        data-theme={theme() === 'app' ? undefined : theme()}
      >
        <Show
          when={!isEmpty()}
          fallback={<p class="stage-empty">The card appears here as you compose it.</p>}
        >
          <PreviewedCard {...preview} />
        </Show>
      </div>
      <p class="hint preview-note" role="status">
        {notes().filter(Boolean).join(' ')}
      </p>
      <Show when={preview.interaction()}>
        {interaction => <InteractionPreview interaction={interaction()} onDismiss={preview.dismiss} />}
      </Show>
    </>
  )
}

export function PreviewedCard(props: Pick<PreviewHost, 'host' | 'card'>): JSX.Element {
  return (
    <CardHostContext.Provider value={props.host}>
      <Show when={props.card()}>{card => <CardView card={card()} position={1} total={1} />}</Show>
    </CardHostContext.Provider>
  )
}

const isInteractive = (block: Block) => 'disabled' in block || block.type === 'button'

function errorNote({ wrong, missing }: PreviewCard): string {
  const blocks = wrong === 1 ? '1 block has errors' : `${wrong} blocks have errors`
  if (missing === wrong) return `${blocks}. The preview leaves ${wrong === 1 ? 'it' : 'them'} out.`
  return `${blocks}. The preview shows what was valid last.`
}

function InteractionPreview(props: {
  interaction: PreviewedInteraction
  onDismiss: () => void
}): JSX.Element {
  return (
    <section class="stack small interaction-preview" aria-label="What would be sent">
      <p role="status">
        <strong>{props.interaction.label}</strong>: nothing was sent. In a channel, your automation receives
        this with ids and the time:
      </p>
      <Lines text={formatJson(props.interaction.sent)} label="What would be sent, as JSON" />
      <LinkButton onClick={() => props.onDismiss()}>Dismiss</LinkButton>
    </section>
  )
}

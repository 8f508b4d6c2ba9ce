// One block of the list: what it is in a line, and open its fields, a copy of it, and the way to be rid of it.
import { createUniqueId, type JSX, Match, onMount, Show, Switch } from 'solid-js'
import { Dynamic } from 'solid-js/web'
import { IconCopy, IconGrip, IconTrash } from '../ui/page-icons.tsx'
import { kindOf } from './block-examples.ts'
import { BLOCK_FIELDS, type FieldSpec } from './block-fields.ts'
import { summaryOf } from './block-words.ts'
import { useBuilder } from './builder.ts'
import { isFields } from './card-value.ts'
import { FieldSet } from './controls.tsx'
import { BLOCK_ICONS, IconUnknown } from './icons.tsx'
import type { createReorder } from './reorder.ts'

export type BlockRowProps = {
  key: number
  index: number
  reorder: ReturnType<typeof createReorder>
  /** The id of the words on how a grip is used. */
  help: string
}

const ID: Record<'id', FieldSpec> = {
  id: {
    kind: 'line',
    label: 'Block id',
    hint: 'A PATCH finds the block by it. Leave it empty to have one made.',
    optional: true,
  },
}

export function BlockRow(props: BlockRowProps): JSX.Element {
  const builder = useBuilder()
  const body = createUniqueId()
  const block = () => builder.blockOf(props.key)
  const kind = () => {
    const given = block()
    return isFields(given) ? kindOf(given.type) : undefined
  }
  const name = () => kind()?.name ?? 'Unknown block'
  const isOpen = () => builder.open() === props.key
  const wrong = () => builder.problemsAt(['blocks', props.index])
  let row: HTMLLIElement | undefined

  onMount(() => {
    if (builder.added() !== props.key || !row) return
    const field = row.querySelector<HTMLElement>('.block-fields :is(input, textarea, select)')
    const target = field ?? row.querySelector<HTMLElement>('.row-open')
    target?.focus({ preventScroll: true })
    row.scrollIntoView({ block: 'nearest' })
  })

  const hold = () => props.reorder.hold()
  const isHeld = () => hold()?.from === props.index
  /** A line shows where what is held would stand. */
  const mark = () => {
    const now = hold()
    if (!now || now.to === now.from || now.to !== props.index) return undefined
    return now.to > now.from ? 'below' : 'above'
  }

  function remove(): void {
    const next = row?.nextElementSibling ?? row?.previousElementSibling
    const list = row?.parentElement?.parentElement
    builder.remove(props.index)
    const target = next?.isConnected
      ? next.querySelector('.row-open')
      : list?.querySelector('.add-block button')
    if (target instanceof HTMLElement) target.focus()
  }

  return (
    <li
      class="block-row"
      classList={{ 'block-row-open': isOpen(), 'block-row-held': isHeld() }}
      data-mark={mark()}
      data-path={`blocks[${props.index}]`}
      style={{ translate: isHeld() ? `0 ${hold()?.offset ?? 0}px` : undefined }}
      ref={row}
    >
      <div class="block-row-head">
        <button
          type="button"
          class="grip"
          aria-label={`Move ${name()}, ${props.index + 1} of ${builder.keys().length}`}
          aria-describedby={props.help}
          title="Drag, or use the arrow keys"
          onPointerDown={event => props.reorder.onPointerDown(event, props.index)}
          onKeyDown={event => props.reorder.onKeyDown(event, props.index)}
        >
          <IconGrip />
        </button>
        <button
          type="button"
          class="row-open"
          aria-expanded={isOpen()}
          aria-controls={body}
          onClick={() => builder.setOpen(isOpen() ? undefined : props.key)}
        >
          <Show when={kind()} fallback={<IconUnknown />}>
            {kind => <Dynamic component={BLOCK_ICONS[kind().type]} />}
          </Show>
          <span class="row-name">{name()}</span>
          <span class="row-words">{summaryOf(block())}</span>
          <Show when={wrong().length > 0}>
            <span class="row-wrong">
              <span class="dot" aria-hidden="true" />
              <span class="sr-only">{wrong().length === 1 ? '1 error' : `${wrong().length} errors`}</span>
            </span>
          </Show>
        </button>
        <div class="row-tools">
          <button
            type="button"
            class="icon-button"
            aria-label={`Duplicate ${name()}`}
            title="Duplicate"
            onClick={() => builder.duplicate(props.index)}
          >
            <IconCopy />
          </button>
          <button
            type="button"
            class="icon-button"
            aria-label={`Delete ${name()}`}
            title="Delete"
            onClick={remove}
          >
            <IconTrash />
          </button>
        </div>
      </div>
      <Show when={isOpen()}>
        <div class="block-fields" id={body}>
          <Switch fallback={<Unknown index={props.index} />}>
            <Match when={kind()?.type} keyed>
              {type => (
                <>
                  <FieldSet path={['blocks', props.index]} fields={BLOCK_FIELDS[type]} />
                  <FieldSet path={['blocks', props.index]} fields={ID} />
                </>
              )}
            </Match>
          </Switch>
        </div>
      </Show>
    </li>
  )
}

function Unknown(props: { index: number }): JSX.Element {
  const builder = useBuilder()
  return (
    <>
      <p class="hint">This is no block type. Correct it in the JSON, or delete it.</p>
      <Show when={builder.problemsAt(['blocks', props.index])[0]}>
        {problem => <p class="form-error">{problem().message}</p>}
      </Show>
    </>
  )
}

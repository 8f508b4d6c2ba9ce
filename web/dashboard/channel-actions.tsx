// The header actions of a channel: buttons of its own, beside its name. Put in order, changed and deleted in place.
import { For, type JSX, Show } from 'solid-js'
import { InvalidRequestError } from '../../client/errors.ts'
import type { HeaderAction } from '../../shared/header-action.ts'
import { ACTIONS_MAX } from '../../shared/limits.ts'
import { createAction, patchAction } from '../data/checked-requests.ts'
import { api, deleteAction } from '../data/owner-client.ts'
import { Reason, SelectField } from '../ui/choice.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { createSortable } from '../ui/sortable.tsx'
import { ActionRow } from './action-row.tsx'
import { type ActionFields, readStyle, STYLES } from './action-style.ts'
import type { ChannelPartProps } from './channel-general.tsx'
import { createOptimistic } from './deed.ts'
import { Section } from './page.tsx'
import { SettingsForm } from './settings-form.tsx'
import { createUndo } from './undo.ts'

export function ChannelActions(props: ChannelPartProps): JSX.Element {
  let list: HTMLUListElement | undefined
  const actions = () => props.channel.actions
  const ids = () => actions().map(action => action.id)
  const find = (id: string) => actions().find(action => action.id === id)
  const { change, add, reason } = createOptimistic(actions, actions =>
    props.onChange({ ...props.channel, actions }),
  )
  const offerUndo = createUndo()
  const sortable = createSortable({
    ids,
    nameOf: id => find(id)?.label ?? '',
    list: () => list,
    onOrder: reorder,
  })

  async function reorder(order: string[]): Promise<void> {
    const { id } = props.channel
    const focused = document.activeElement
    const refused = await change(
      actions => inOrder(actions, order),
      () => sendOrder(id, order),
    )
    // A row that goes back loses the focus.
    const lost = document.activeElement === document.body
    if (refused !== null && lost && focused instanceof HTMLElement) focused.focus()
  }

  function edit(action: HeaderAction, fields: ActionFields): void {
    change(
      actions => actions.map(other => (other.id === action.id ? { ...other, ...fields } : other)),
      async confirmed => {
        const { label, style, position } = await patchAction(props.channel.id, action.id, fields)
        const changed = { id: action.id, label, style, position }
        return confirmed.map(other => (other.id === action.id ? changed : other))
      },
    )
  }

  async function remove(action: HeaderAction): Promise<void> {
    const { id: channel_id } = props.channel
    const order = ids()
    const without = (actions: HeaderAction[]) => actions.filter(other => other.id !== action.id)
    // The button that had the focus goes.
    list?.focus()
    const refused = await change(without, async confirmed => {
      await deleteAction(channel_id, action.id)
      return without(confirmed)
    })
    if (refused !== null) return
    // With its id and in its place, so that open pages and automations find it as it was.
    offerUndo(`Deleted the action “${action.label}”`, () =>
      change(
        actions => putBack(actions, action, order),
        async () => {
          await api.channel(channel_id).setAction(action)
          // The others may stand in another order by now, and there may be others.
          const { actions } = await api.channel(channel_id).get()
          const wanted = putBack(without(actions), action, order).map(({ id }) => id)
          return wanted.every((id, place) => actions[place]?.id === id)
            ? actions
            : sendOrder(channel_id, wanted)
        },
      ),
    )
  }

  return (
    <Section
      title="Header actions"
      about="Buttons of the channel itself, beside its name. Drag them into the order that people see."
    >
      <ul
        class="rows"
        classList={{ 'rows-sorting': ids().some(sortable.isDragged) }}
        tabIndex={-1}
        ref={list}
        aria-label="Header actions"
      >
        <For each={ids()} fallback={<li class="row quiet">None yet.</li>}>
          {(id, index) => (
            <Show when={find(id)}>
              {action => (
                <ActionRow
                  action={action()}
                  index={index()}
                  count={ids().length}
                  sortable={sortable}
                  onSave={fields => edit(action(), fields)}
                  onDelete={() => remove(action())}
                />
              )}
            </Show>
          )}
        </For>
      </ul>
      <p class="sr-only" aria-live="assertive">
        {sortable.said()}
      </p>
      <Reason reason={reason()} />
      <Show
        when={actions().length < ACTIONS_MAX}
        fallback={<p class="hint">A channel has at most {ACTIONS_MAX} actions.</p>}
      >
        <NewAction
          onAdd={fields => {
            const { id } = props.channel
            return add(async confirmed => {
              const position = Math.max(-1, ...confirmed.map(action => action.position)) + 1
              return byPosition([...confirmed, await createAction(id, { ...fields, position })])
            })
          }}
        />
      </Show>
    </Section>
  )
}

/** Where actions have come or gone elsewhere meanwhile, the order is sent again with what there is. */
async function sendOrder(channel_id: string, order: string[]): Promise<HeaderAction[]> {
  try {
    return await api.channel(channel_id).orderActions(order)
  } catch (error) {
    if (!(error instanceof InvalidRequestError)) throw error
    const { actions } = await api.channel(channel_id).get()
    const ids = inOrder(actions, order).map(({ id }) => id)
    return api.channel(channel_id).orderActions(ids)
  }
}

/** Behind the nearest of those before it in `order` that is still there: the others stay in their own order. */
function putBack(actions: HeaderAction[], action: HeaderAction, order: string[]): HeaderAction[] {
  const before = order.slice(0, order.indexOf(action.id))
  const place = actions.findLastIndex(({ id }) => id === before.findLast(other => isAmong(actions, other)))
  return actions.toSpliced(place + 1, 0, action)
}

const isAmong = (actions: HeaderAction[], id: string) => actions.some(other => other.id === id)

const byPosition = (actions: HeaderAction[]) => actions.toSorted((a, b) => a.position - b.position)

/** Those that are not in the order (made meanwhile) stay behind. */
function inOrder(actions: HeaderAction[], order: string[]): HeaderAction[] {
  const place = (id: string) => (order.includes(id) ? order.indexOf(id) : order.length)
  return actions
    .toSorted((a, b) => place(a.id) - place(b.id))
    .map((action, position) => ({ ...action, position }))
}

type NewActionProps = { onAdd: (fields: ActionFields) => Promise<void> }

function NewAction(props: NewActionProps): JSX.Element {
  let box: HTMLDivElement | undefined
  const form = createForm(async ({ label = '', style }) => {
    await props.onAdd({ label, style: readStyle(style) })
    // For the next one.
    form.focusIfStill(box?.querySelector('input'))
  }, 'label')
  return (
    <div ref={box}>
      <SettingsForm form={form} what="Header actions" submit="Add action" busy="Adding…" look="secondary">
        <div class="columns">
          <FormField form={form} name="label" label="Label" type="text" autocomplete="off" />
          <SelectField form={form} name="style" label="Style" value="primary" options={STYLES} />
        </div>
      </SettingsForm>
    </div>
  )
}

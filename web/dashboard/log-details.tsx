// The details of an entry of the log: who, which card, its deliveries, and the request, response and card of one.
import {
  createSignal,
  createUniqueId,
  For,
  type JSX,
  Match,
  onCleanup,
  onMount,
  Show,
  Switch,
} from 'solid-js'
import { Dynamic } from 'solid-js/web'
import type { Delivery } from '../../shared/delivery.ts'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { fetchDelivery } from '../data/owner-requests.ts'
import { redeliver } from '../data/viewer-requests.ts'
import { cardAddress } from '../feed/permalink.ts'
import { copyText } from '../lib/clipboard.ts'
import { formatDuration, formatMoment, formatNumber } from '../lib/format.ts'
import { listen } from '../lib/listen.ts'
import { createMedia } from '../lib/media.ts'
import { onKey } from '../lib/on-key.ts'
import { IconButton, SmallButton } from '../ui/button.tsx'
import { Reason } from '../ui/choice.tsx'
import { Lines } from '../ui/copy.tsx'
import { createForm } from '../ui/form.tsx'
import { createLoad, Loaded } from '../ui/load.tsx'
import { IconLink, IconX } from '../ui/page-icons.tsx'
import { Tab, TabList } from '../ui/tabs.tsx'
import { showToast } from '../ui/toast.tsx'
import { CardState } from './card-state.tsx'
import { DeliveryError, DeliveryRequest, DeliveryResponse, DeliveryStatusText } from './delivery-view.tsx'
import { TYPE_ICONS } from './interaction-icons.ts'
import { triggerText } from './interaction-text.ts'
import { Who } from './log-table.tsx'
import { IconRefresh } from './nav-icons.tsx'
import './log-details.css'

/** The stylesheet repeats this width. */
const NARROW = '(width < 72rem)'
const VIEWS = { request: 'Request', response: 'Response', card: 'Card' }
type View = keyof typeof VIEWS

type Props = {
  id: string
  channelId: string
  entry: LoggedInteraction
  onChange: () => Promise<void>
  onClose: () => void
}

/** Beside the log, or over the page on a narrow screen. */
export function LogDetails(props: Props): JSX.Element {
  const isNarrow = createMedia(NARROW)
  const label = () => `Details: ${triggerText(props.entry.trigger)}`
  let sheet: HTMLDialogElement | undefined

  function onPointerDown({ target, clientY }: PointerEvent): void {
    if (sheet && target === sheet && clientY < sheet.getBoundingClientRect().top) sheet.close()
  }

  return (
    <Show
      when={isNarrow()}
      fallback={
        <aside
          class="log-panel surface"
          ref={fitToWindow}
          id={props.id}
          aria-label={label()}
          onKeyDown={onKey(event => event.key === 'Escape' && props.onClose())}
        >
          <Content {...props} />
        </aside>
      }
    >
      <dialog
        class="log-panel surface"
        id={props.id}
        aria-label={label()}
        ref={element => {
          sheet = element
          onMount(() => element.showModal())
        }}
        onClose={props.onClose}
        onPointerDown={onPointerDown}
      >
        <Content {...props} onClose={() => sheet?.close()} />
      </dialog>
    </Show>
  )
}

/** Ends the panel at the window's lower edge, so that its buttons are always on the screen. */
function fitToWindow(panel: HTMLElement): void {
  const fit = () => {
    const top = Math.max(0, panel.getBoundingClientRect().top)
    panel.style.setProperty('--above', `${top}px`)
  }
  onMount(fit)
  listen(window, 'resize', fit)
  // Scrolling doesn't bubble, and what scrolls depends on the layout.
  document.addEventListener('scroll', fit, { capture: true, passive: true })
  onCleanup(() => document.removeEventListener('scroll', fit, { capture: true }))
}

function Content(props: Props): JSX.Element {
  const title = () => triggerText(props.entry.trigger)

  async function copyLink(): Promise<void> {
    const words = (await copyText(location.href)) ? 'Link copied' : `The link is ${location.href}`
    showToast({ words })
  }

  return (
    <>
      <header class="log-panel-head">
        <div class="across">
          <Dynamic component={TYPE_ICONS[props.entry.trigger.type]} />
          <h2 class="fill cut" dir="auto">
            {title()}
          </h2>
          <IconButton aria-label="Copy link to this entry" title="Copy link" onClick={copyLink}>
            <IconLink />
          </IconButton>
          <IconButton aria-label="Close details" title="Close (Esc)" onClick={props.onClose}>
            <IconX />
          </IconButton>
        </div>
        <Facts entry={props.entry} channelId={props.channelId} />
      </header>
      <Deliveries {...props} />
    </>
  )
}

function Facts(props: { entry: LoggedInteraction; channelId: string }): JSX.Element {
  return (
    <dl class="log-facts">
      <div>
        <dt>By</dt>
        <dd>
          <Who entry={props.entry} long />
        </dd>
      </div>
      <div>
        <dt>Card</dt>
        <dd>
          <Show when={props.entry.card_id} fallback={hadCard(props.entry.trigger.type) ? 'Deleted' : 'None'}>
            {card => <a href={cardAddress(props.channelId, card())}>Open card</a>}
          </Show>
        </dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>{formatMoment(props.entry.timestamp)}</dd>
      </div>
      <Show when={props.entry.decision?.outcome?.comment}>
        {comment => (
          <div>
            <dt>Comment</dt>
            <dd dir="auto">{comment()}</dd>
          </div>
        )}
      </Show>
    </dl>
  )
}

function Deliveries(props: Props): JSX.Element {
  const [picked, setPicked] = createSignal<string>()
  const deliveries = () => props.entry.deliveries
  const shown = () => deliveries().find(({ id }) => id === picked()) ?? deliveries()[0]
  const sending = createForm(async () => {
    await redeliver(props.channelId, props.entry.interaction_id)
    setPicked(undefined)
    await props.onChange()
  }, null)
  return (
    <>
      <Show when={deliveries().length > 1}>
        <fieldset class="tries">
          <legend class="sr-only">Deliveries</legend>
          <For each={deliveries()}>
            {delivery => (
              <Try
                delivery={delivery}
                picked={shown()?.id === delivery.id}
                onPick={() => setPicked(delivery.id)}
              />
            )}
          </For>
        </fieldset>
      </Show>
      <Messages {...props} delivery={shown()} />
      <footer class="log-panel-end">
        <Reason reason={sending.errorOf(null)} />
        <span class="fill">
          <DeliveryStatusText delivery={shown()} />
        </span>
        <SmallButton aria-disabled={sending.busy()} onClick={() => sending.submit()}>
          <IconRefresh />
          {sending.busy() ? 'Sending…' : deliveries()[0]?.status === 'held' ? 'Send' : 'Send again'}
        </SmallButton>
      </footer>
    </>
  )
}

function Try(props: { delivery: Delivery; picked: boolean; onPick: () => void }): JSX.Element {
  return (
    <button type="button" class="try" aria-pressed={props.picked} onClick={props.onPick}>
      <span>Delivery {formatNumber(props.delivery.attempts)}</span>
      <DeliveryStatusText delivery={props.delivery} />
      <span class="try-end">
        <Show when={props.delivery.duration_ms}>{ms => `${formatDuration(ms())} · `}</Show>
        {formatMoment(props.delivery.created_at)}
      </span>
    </button>
  )
}

function Messages(props: Props & { delivery: Delivery | undefined }): JSX.Element {
  // The cause of a failure is in the response.
  const [view, setView] = createSignal<View>(props.delivery?.status === 'failed' ? 'response' : 'request')
  const panel = createUniqueId()
  const names = (): View[] =>
    props.entry.card_state ? ['request', 'response', 'card'] : ['request', 'response']
  const idOf = (name: View) => `${panel}-${name}`
  return (
    <>
      <TabList class="log-tabs" label="Show" names={names()} selected={view()} idOf={idOf} onStep={setView}>
        <For each={names()}>
          {name => (
            <Tab id={idOf(name)} controls={panel} selected={view() === name} onSelect={() => setView(name)}>
              {VIEWS[name]}
            </Tab>
          )}
        </For>
      </TabList>
      <div class="log-panel-body stack" id={panel} role="tabpanel" aria-labelledby={idOf(view())}>
        <Show when={view() === 'card' && props.entry.card_state}>
          {state => <CardState entries={state()} trigger={props.entry.trigger} />}
        </Show>
        <Show when={view() !== 'card'}>
          <Show when={props.delivery} fallback={<NotSent entry={props.entry} />}>
            {delivery => (
              // Loads the delivery again when its status changes.
              <Show when={`${delivery().id} ${delivery().status}`} keyed>
                {_ => <Message channelId={props.channelId} id={delivery().id} view={view()} />}
              </Show>
            )}
          </Show>
        </Show>
      </div>
    </>
  )
}

function Message(props: { channelId: string; id: string; view: View }): JSX.Element {
  const { load, again } = createLoad(() => fetchDelivery(props.channelId, props.id))
  return (
    <Loaded load={load()} again={again}>
      {delivery => (
        <>
          <DeliveryError delivery={delivery()} />
          <Switch>
            <Match when={props.view === 'request'}>
              <DeliveryRequest delivery={delivery()} />
            </Match>
            <Match when={true}>
              <DeliveryResponse delivery={delivery()} />
            </Match>
          </Switch>
        </>
      )}
    </Loaded>
  )
}

function NotSent(props: { entry: LoggedInteraction }): JSX.Element {
  return (
    <>
      <p class="quiet">Not sent. The channel had no webhook URL at that time.</p>
      <div class="code-box">
        <Lines label="Trigger" text={JSON.stringify(props.entry.trigger, null, 2)} class="code-text" />
      </div>
    </>
  )
}

const hadCard = (type: string) =>
  type === 'button_click' || type === 'input_change' || type === 'decision_expired'

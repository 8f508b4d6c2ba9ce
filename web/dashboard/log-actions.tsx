// What the log offers for many entries: failed ones sent again after an outage, and a test of the webhook.
import { createSignal, type JSX, Show } from 'solid-js'
import type { LoggedInteraction } from '../../shared/interaction-log.ts'
import { sendTest } from '../data/owner-requests.ts'
import { redeliver } from '../data/viewer-requests.ts'
import { countOf } from '../lib/format.ts'
import { SmallButton } from '../ui/button.tsx'
import { Reason } from '../ui/choice.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { createForm } from '../ui/form.tsx'
import { showToast } from '../ui/toast.tsx'

type Props = {
  channelId: string
  entries: LoggedInteraction[]
  hasWebhook: boolean
  onChange: () => Promise<void>
}

export function LogActions(props: Props): JSX.Element {
  const failed = () => props.entries.filter(({ deliveries }) => deliveries[0]?.status === 'failed')
  return (
    <Show when={props.hasWebhook}>
      <SendAgain {...props} entries={failed()} />
      <TestButton {...props} />
    </Show>
  )
}

function SendAgain(props: Props): JSX.Element {
  /** Those under way. The log changes meanwhile. */
  const [sending, setSending] = createSignal<LoggedInteraction[]>()
  const [sent, setSent] = createSignal(0)
  const entries = () => sending() ?? props.entries
  const interactions = () => countOf(entries().length, 'interaction', 'interactions')

  /** One after another, oldest first, as they happened. After an error, only the others are offered again. */
  async function sendAll(): Promise<void> {
    const oldestFirst = [...props.entries].reverse()
    const words = `${interactions()} queued`
    setSending(oldestFirst)
    setSent(0)
    try {
      for (const { interaction_id } of oldestFirst) {
        await redeliver(props.channelId, interaction_id)
        setSent(count => count + 1)
      }
    } finally {
      await props.onChange()
      setSending(undefined)
    }
    showToast({ words })
  }

  return (
    <Show when={entries().length > 1}>
      <ConfirmDialog
        open={`Send ${entries().length} failed again…`}
        button="button button-secondary button-small"
        title={`Send ${interactions()} again?`}
        about="The failed ones on this page of the log, oldest first. A webhook that did its work before it failed may do it twice."
        confirm="Send again"
        busy={`Sending ${sent() + 1} of ${entries().length}…`}
        onConfirm={sendAll}
      />
    </Show>
  )
}

function TestButton(props: Props): JSX.Element {
  const test = createForm(async () => {
    const { status, response_code, error } = await sendTest(props.channelId)
    await props.onChange()
    const outcome = status === 'success' ? 'Test delivered' : 'Test failed'
    const reason = response_code ?? error
    showToast({ words: reason === null ? outcome : `${outcome}: ${reason}` })
  }, null)
  return (
    <>
      <SmallButton aria-disabled={test.busy()} onClick={() => test.submit()}>
        {test.busy() ? 'Sending…' : 'Send a test'}
      </SmallButton>
      <Reason reason={test.errorOf(null)} />
    </>
  )
}

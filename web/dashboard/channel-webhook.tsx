// Where a channel's interactions are posted, the secret that signs them, and a test of both.
import { createSignal, type JSX, Show } from 'solid-js'
import { RateLimitError } from '../../client/errors.ts'
import type { DeliveryDetails } from '../../shared/delivery.ts'
import { patchChannel } from '../data/checked-requests.ts'
import { fetchSecret, rotateSecret, sendTest } from '../data/owner-client.ts'
import { Reason } from '../ui/choice.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import type { ChannelPartProps } from './channel-general.tsx'
import { createDeed } from './deed.ts'
import { DeliveryView } from './delivery-view.tsx'
import { Section } from './page.tsx'
import { SettingsForm } from './settings-form.tsx'

export function ChannelWebhook(props: ChannelPartProps): JSX.Element {
  const form = createForm(async ({ webhook_url = '' }) => {
    const url = webhook_url.trim()
    props.onChange(await patchChannel(props.channel.id, { webhook_url: url === '' ? null : url }))
  }, 'webhook_url')
  return (
    <Section
      title="Webhook"
      about="What people do in the channel is posted to this address as JSON, signed as Standard Webhooks describes. It has to answer with a 2xx within 10 seconds."
    >
      <SettingsForm form={form} what="Webhook" submit="Save" busy="Saving…" done="Saved">
        <FormField
          form={form}
          name="webhook_url"
          label="Webhook URL"
          type="url"
          autocomplete="off"
          value={props.channel.webhook_url ?? ''}
          hint={
            props.channel.mode === 'view'
              ? 'In mode View nobody can act, so nothing is sent. Empty: interactions are only logged.'
              : 'Empty: interactions are only logged.'
          }
          optional
        />
      </SettingsForm>
      <Show when={props.channel.webhook_url !== null}>
        <Test channelId={props.channel.id} />
        <Secret channelId={props.channel.id} />
      </Show>
    </Section>
  )
}

function Test(props: { channelId: string }): JSX.Element {
  const [result, setResult] = createSignal<DeliveryDetails>()
  const test = createDeed(async () => {
    setResult(undefined)
    setResult(await sendTest(props.channelId).catch(explainLimit))
  })
  return (
    <div class="part">
      <div class="part-line">
        <div>
          <h3>Test</h3>
          <p class="hint">Posts an interaction of type test to the saved address. It shows in the log.</p>
        </div>
        <button type="button" class="button button-secondary" aria-disabled={test.busy()} onClick={test.run}>
          {test.busy() ? 'Sending…' : 'Send a test'}
        </button>
      </div>
      <Reason reason={test.reason()} />
      <div aria-live="polite">
        <Show when={result()} keyed>
          {delivery => <DeliveryView delivery={delivery} />}
        </Show>
      </div>
    </div>
  )
}

function explainLimit(error: unknown): never {
  if (!(error instanceof RateLimitError)) throw error
  throw new RateLimitError(429, 'Too many tests. Wait a minute, then send another one.')
}

function Secret(props: { channelId: string }): JSX.Element {
  const [secret, setSecret] = createSignal<string>()
  const show = createDeed(async () => {
    setSecret((await fetchSecret(props.channelId)).secret)
  })

  async function rotate(): Promise<void> {
    setSecret((await rotateSecret(props.channelId)).secret)
  }

  return (
    <div class="part">
      <div class="part-line">
        <div>
          <h3>Signing secret</h3>
          <p class="hint">With it the receiver tells our requests from others.</p>
        </div>
        <div class="part-tools">
          <button
            type="button"
            class="button button-secondary"
            aria-expanded={secret() !== undefined}
            aria-disabled={show.busy()}
            onClick={() => (secret() === undefined ? show.run() : setSecret(undefined))}
          >
            {secret() === undefined ? 'Show' : 'Hide'}
            <span class="sr-only"> the signing secret</span>
          </button>
          <ConfirmDialog
            open="Rotate"
            label="Rotate the signing secret"
            button="button button-secondary"
            title="Rotate the signing secret?"
            about="A new secret signs from now on. The one before signs too for a day, so that receivers can change over."
            confirm="Rotate secret"
            busy="Rotating…"
            onConfirm={rotate}
          />
        </div>
      </div>
      <Reason reason={show.reason()} />
      <Show when={secret()}>
        {secret => (
          <div class="secret">
            <code>{secret()}</code>
            <CopyButton text={secret()} what="the signing secret" />
          </div>
        )}
      </Show>
    </div>
  )
}

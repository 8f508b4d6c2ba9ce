// The webhook of a channel: its URL, a test, and the signing secret.
import { createSignal, type JSX, Show } from 'solid-js'
import type { ChannelWithActions } from '../../shared/channel.ts'
import type { DeliveryDetails } from '../../shared/delivery.ts'
import { fetchWebhookSecret, rotateWebhookSecret, sendTest } from '../data/owner-requests.ts'
import { Button } from '../ui/button.tsx'
import { Reason } from '../ui/choice.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { createForm, FormField, type FormState } from '../ui/form.tsx'
import { DeliveryView } from './delivery-view.tsx'
import { Secret } from './secret.tsx'
import { Section, SectionPart } from './section.tsx'

export function ChannelWebhook(props: { channel: ChannelWithActions; form: FormState }): JSX.Element {
  return (
    <Section
      title="Webhook"
      about="Interactions are sent here as signed JSON. Answer with 2xx within 10 seconds."
    >
      <FormField
        form={props.form}
        name="webhook_url"
        label="Webhook URL"
        type="url"
        value={props.channel.webhook_url ?? ''}
        hint={`${props.channel.mode === 'view' ? 'Nothing is sent while the channel is view only. ' : ''}Without a URL, interactions are only logged.`}
        optional
      />
      <Show when={props.channel.webhook_url !== null}>
        <WebhookTest channelId={props.channel.id} />
        <SigningSecret channelId={props.channel.id} />
      </Show>
    </Section>
  )
}

function WebhookTest(props: { channelId: string }): JSX.Element {
  const [result, setResult] = createSignal<DeliveryDetails>()
  const test = createForm(async () => {
    setResult(undefined)
    setResult(await sendTest(props.channelId))
  }, null)
  return (
    <SectionPart
      title="Test"
      about="Sends a test interaction to the saved URL. The log shows it too."
      buttons={
        <Button aria-disabled={test.busy()} onClick={() => test.submit()}>
          {test.busy() ? 'Sending…' : 'Send test'}
        </Button>
      }
    >
      <Reason reason={test.errorOf(null)} />
      <div aria-live="polite">
        <Show when={result()} keyed>
          {delivery => <DeliveryView delivery={delivery} />}
        </Show>
      </div>
    </SectionPart>
  )
}

function SigningSecret(props: { channelId: string }): JSX.Element {
  const [secret, setSecret] = createSignal<string>()
  const showFrom = async (send: typeof fetchWebhookSecret) => {
    setSecret((await send(props.channelId)).secret)
  }
  const fetching = createForm(() => showFrom(fetchWebhookSecret), null)
  return (
    <SectionPart
      title="Signing secret"
      about="Verifies that a request comes from this server."
      buttons={
        <>
          <Button
            aria-disabled={fetching.busy()}
            aria-expanded={secret() !== undefined}
            onClick={() => (secret() === undefined ? fetching.submit() : setSecret(undefined))}
          >
            {secret() === undefined ? 'Show' : 'Hide'}
            <span class="sr-only"> the signing secret</span>
          </Button>
          <ConfirmDialog
            open="Rotate"
            label="Rotate the signing secret"
            button="button button-secondary"
            title="Rotate the signing secret?"
            about="Requests are signed with a new secret from now on, and with the old one for another day."
            confirm="Rotate secret"
            busy="Rotating…"
            onConfirm={() => showFrom(rotateWebhookSecret)}
          />
        </>
      }
    >
      <Reason reason={fetching.errorOf(null)} />
      <Show when={secret()}>{secret => <Secret text={secret()} name="the signing secret" />}</Show>
    </SectionPart>
  )
}

// What the service sends: the request that a channel's `webhook_url` receives.
import { webhookRequest } from '../../shared/interaction.ts'
import { CARD_ID, CHANNEL_ID, click, INTERACTION_ID, reply } from './examples.ts'
import type { Content } from './operation.ts'

const change = {
  ...click,
  trigger: { type: 'input_change', block_id: 'badge', block_type: 'toggle', value: false },
  card_state: [{ id: 'badge', type: 'toggle', label: 'Print a badge', value: false }],
}
const action = {
  ...reply,
  trigger: { type: 'header_action', action_id: CARD_ID, label: 'Freeze' },
}

export const webhookContent: Content = {
  schema: webhookRequest,
  examples: {
    button_click: { summary: 'A button of a card was clicked', value: click },
    header_action: { summary: 'A header action was used', value: action },
    input_change: { summary: 'A block with `send_on_change` was changed', value: change },
    reply: { summary: 'Someone wrote a reply', value: reply },
    test: {
      summary: 'The owner tries the webhook out',
      value: {
        interaction_id: INTERACTION_ID,
        channel_id: CHANNEL_ID,
        card_id: null,
        timestamp: click.timestamp,
        trigger: { type: 'test' },
        card_state: null,
      },
    },
  },
}

export const webhookHeaders = [
  {
    name: 'webhook-id',
    description: 'The `interaction_id`: the same when it is delivered again, so that a receiver can tell.',
    schema: { type: 'string', format: 'uuid' },
    example: INTERACTION_ID,
  },
  {
    name: 'webhook-timestamp',
    description: 'When this attempt was made, in seconds since 1970.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1769861070',
  },
  {
    name: 'webhook-signature',
    description:
      'One or more signatures, parted by blanks: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`, with the bytes of the channel’s secret (base64 after `whsec_`) as its key.',
    schema: { type: 'string', pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' },
    example: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  {
    name: 'User-Agent',
    description: 'Names the sender.',
    schema: { type: 'string' },
    example: 'Channel-Feed/1',
  },
]

export const webhookDescription =
  'Sent when someone acts in a channel that has a `webhook_url`. Answer with any 2xx within 10 seconds; redirects are not followed. One attempt is made: what fails is logged in the dashboard, and can be sent again from there. Signed as [Standard Webhooks](https://www.standardwebhooks.com) has it; the secret stands in the channel’s settings.'

// The request that a channel's `webhook_url` receives, for the OpenAPI document.
import { webhookRequest } from '../../shared/interaction.ts'
import { CARD_ID, click, decided, expired, INTERACTION_ID, reply } from './examples.ts'
import type { BodyDescription } from './operation.ts'

const change = {
  ...click,
  trigger: { type: 'input_change', block_id: 'badge', block_type: 'toggle', value: false },
  card_state: [{ id: 'badge', type: 'toggle', label: 'Print a badge', value: false }],
}
const action = { ...reply, trigger: { type: 'header_action', action_id: CARD_ID, label: 'Freeze' } }

export const webhookContent: BodyDescription = {
  schema: webhookRequest,
  examples: {
    'A button of a card was clicked': click,
    'A button answered a question': { ...click, decision: decided },
    'A question expired': {
      ...click,
      trigger: { type: 'decision_expired', block_id: 'actions' },
      decision: expired,
    },
    'A header action was used': action,
    'A block with `send_on_change` was changed': change,
    'Someone wrote a reply': reply,
    'The owner sends a test': { ...reply, trigger: { type: 'test' } },
  },
}

export const webhookHeaders = [
  {
    name: 'webhook-id',
    description: 'The `interaction_id`. A repeated delivery has the same one, so that you can skip it.',
    schema: { type: 'string', format: 'uuid' },
    example: INTERACTION_ID,
  },
  {
    name: 'webhook-timestamp',
    description: 'When this delivery was sent, in seconds since 1970.',
    schema: { type: 'string', pattern: '^\\d+$' },
    example: '1769861070',
  },
  {
    name: 'webhook-signature',
    description:
      'One or more signatures, separated by spaces: `v1,` and the base64 HMAC-SHA256 of `{webhook-id}.{webhook-timestamp}.{body}`. Its key is the channel’s secret, decoded from the base64 after `whsec_`.',
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
  'Sent when someone interacts with a channel that has a `webhook_url`. Respond with any 2xx within 10 seconds; redirects are not followed. There is one delivery: if it fails, the dashboard’s log shows it, and you can send it again from there. It is signed according to [Standard Webhooks](https://www.standardwebhooks.com); the secret is in the channel’s settings.'

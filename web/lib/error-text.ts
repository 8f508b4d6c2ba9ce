// The texts of errors for people. The server's messages are written for programs.
import type { ChannelFeedError } from '../../client/errors.ts'
import type { ErrorCode } from '../../shared/error-codes.ts'

/** `{field}`: its label. `{rule}`: the server's message without the field. `{wait}`: until the next try. */
const WORDS: Record<ErrorCode, string> = {
  bad_request: 'The request couldn’t be read. Reload the page and try again.',
  body_cut_off: 'The connection broke off. Try again.',
  invalid_content_type: 'The request couldn’t be read. Reload the page and try again.',
  body_not_utf8: 'The text has characters that can’t be saved',
  invalid_json: 'Invalid JSON',
  invalid_body: 'The text has characters that can’t be saved',
  name_required: '{field} is required',
  workspace_id_required: 'Choose a workspace first',
  blocks_required: 'Add a block first',
  field_required: '{field} is required',
  field_invalid: '{field} {rule}',
  card_too_large: 'This card is too large. Remove or shorten blocks.',
  unknown_block: 'A block of this card is no longer there. Reload the page and try again.',
  unknown_button: 'A button of this card is no longer there. Reload the page and try again.',
  email_taken: '{field} is already registered',
  slug_taken: '{field} is already taken',
  interaction_id_taken: 'This was sent already',
  attribute_limit: 'This channel has as many attributes as it can. Remove one first.',
  attribute_setting_limit: 'This workspace has as many settings of attributes as it can',
  header_action_limit: 'This channel has as many header actions as it can. Delete one first.',
  last_workspace: 'You can’t delete your only workspace.',
  no_password: 'This account has no password. It signs in with single sign-on.',
  sign_on_ended: 'Too much time has passed. Start single sign-on again.',
  owner_role: 'The owner’s role can’t change. Transfer the workspace instead.',
  owner_leaves: 'The owner can’t leave. Transfer the workspace first.',
  workspace_not_protected: 'This workspace no longer needs a password. Reload the page.',
  no_webhook: 'This channel has no webhook. Save a URL in its settings first.',
  button_disabled: 'This button is disabled now',
  not_an_input: 'This field has changed. Reload the page and try again.',
  not_sent_on_change: 'This field has changed. Reload the page and try again.',

  unauthorized: 'Your session has ended. Sign in again, in another tab if you like.',
  invalid_credentials: 'That e-mail and password don’t match. Try again.',
  password_required: 'This workspace needs a password. Reload the page.',

  access_denied: 'You don’t have access',
  invalid_password: 'That password isn’t right. Try again.',
  sign_ups_closed: 'New accounts are closed here. Ask the owner of this service.',
  password_sign_in_off: 'Passwords are turned off here. Use single sign-on.',
  sign_on_not_yours: 'Sign in to the account with the same e-mail address as at your provider.',
  invite_not_yours: 'This invite is for another e-mail address',
  channel_not_interactive: 'This channel is view only now',
  hooks_not_public: 'Coding agents need a workspace that isn’t public',
  sign_in: 'Sign in to decide',
  not_allowed: 'You may not decide this',
  agents: 'Agents may not decide this',
  own_question: 'The key that asked may not decide',

  not_found: 'This is no longer there',
  workspace_not_found: 'This workspace was deleted',
  channel_not_found: 'This channel was deleted',
  page_not_found: 'These cards are no longer there',
  card_not_found: 'This card was deleted',
  block_not_found: 'This field is no longer there',
  button_not_found: 'This button is no longer there',
  action_not_found: 'This button is no longer there',
  decision_not_found: 'This question is no longer there',
  signature_not_found: 'This decision has no signature',
  interaction_not_found: 'This entry was deleted',
  delivery_not_found: 'This delivery was deleted',
  api_key_not_found: 'This key was deleted',
  session_not_found: 'This session has ended already',
  reset_link_not_found: 'This link is no longer valid. Ask for a new one.',
  member_not_found: 'This person is no longer in the workspace',
  invite_not_found: 'This invite is no longer valid',

  idempotency_key_in_use: 'This is being saved already. Try again in a moment.',
  already_decided: 'Someone had already chosen',
  expired: 'The time to decide is over',
  cancelled: 'The question was withdrawn',
  asked_again: 'The question was asked again',
  card_changed: 'The card changed while you decided. Look again, then choose.',
  ended: 'This question has ended. Ask it again instead.',
  key_in_use: 'Another question with this key is waiting',

  body_too_large: 'This is too long to send',
  encoding_not_supported: 'The request couldn’t be read. Reload the page and try again.',
  idempotency_key_reused: 'This was sent already. Reload the page and try again.',

  daily_card_limit: 'Daily card limit reached',
  daily_channel_limit: 'Daily channel limit reached',
  daily_byte_limit: 'Daily limit for data reached',
  workspace_limit: 'You have reached your limit of workspaces. Delete one first.',
  api_key_limit: 'You have reached your limit of API keys. Delete one first.',
  member_limit: 'This workspace is full. Ask its owner to make room.',
  invite_limit: 'This workspace has as many open invites as it can. Revoke one first.',
  too_many_actions: 'That was a lot at once. Try again in {wait}.',
  too_many_attempts: 'Too many failed attempts. Try again in {wait}.',
  too_many_sign_ups: 'Too many sign-ups from your network. Try again in {wait}.',
  too_many_tests: 'Too many tests. Try again in {wait}.',
  too_many_redeliveries: 'Too many deliveries are pending. Try again when they are done.',
  too_many_connections: 'Too many connections from your network. Try again in {wait}.',
  too_many_event_streams: 'Too many event streams. Try again in {wait}.',
  too_many_waits: 'Too many waiting requests. Try again in {wait}.',
  too_many_unread: 'Your connection is too slow for this. Try again in {wait}.',
  too_many_stored: 'Too many changes today. Try again in {wait}.',

  internal_error: 'Something went wrong on the server. Try again.',
  unavailable: 'The server is busy. Try again in a moment.',
  sign_on_unavailable: 'Single sign-on doesn’t answer. Try again in a moment.',
}

/** What an error says. It can be saved, unlike the error. */
export type Failure = Pick<ChannelFeedError, 'message'> &
  Partial<Pick<ChannelFeedError, 'code' | 'field' | 'retry_after'>>

export const failureOf = ({ message, code, field }: Failure): Failure => ({
  message,
  ...(code !== undefined && { code }),
  ...(field !== undefined && { field }),
})

/** Wrong passwords also get status 401, but another code. */
export const isSessionEnd = ({ code }: Failure) => code === 'unauthorized'

const isKnown = (code: string | undefined): code is ErrorCode =>
  code !== undefined && Object.hasOwn(WORDS, code)

/** Null without a code that this version knows. `label`: what people call the field. */
export function textByCode(
  { code, field = '', message, retry_after }: Failure,
  label = field,
): string | null {
  const template = isKnown(code) ? WORDS[code] : field === '' ? null : WORDS.field_invalid
  if (template === null) return null
  // The header leaves out a long path.
  if (field === '' && template.includes('{field}')) return message
  // In one go: a label is the text of someone, and may look like a placeholder.
  return template.replace(/\{(?:field|rule|wait)\}/g, part => {
    if (part === '{wait}') return waitWords(retry_after)
    return part === '{field}' ? label : message.slice(field.length).trim()
  })
}

/** Errors without a code are the app's own, or those of a proxy. */
export const errorText = (failure: Failure, label?: string) => textByCode(failure, label) ?? failure.message

function waitWords(seconds = 60): string {
  const minutes = Math.ceil(seconds / 60)
  if (minutes <= 1) return 'a minute'
  const hours = Math.ceil(minutes / 60)
  return minutes <= 60 ? `${minutes} minutes` : `${hours} hours`
}

// The codes of error responses, with their status and message. The header `Error-Code` carries the code.

/** Null: the message depends on the request. */
type Entry = readonly [status: number, message: string | null]

export const ERRORS = {
  bad_request: [400, 'Bad request'],
  body_cut_off: [400, 'The request body was cut off'],
  invalid_content_type: [400, 'Content-Type must be application/json'],
  body_not_utf8: [400, 'The request body must be UTF-8'],
  invalid_json: [400, 'Invalid JSON'],
  /** The body as a whole: it isn't an object, or has characters that can't be stored. */
  invalid_body: [400, null],
  /** The specification names these three; other fields get `field_required`. */
  name_required: [400, 'name is required'],
  workspace_id_required: [400, 'workspace_id is required'],
  blocks_required: [400, 'blocks are required'],
  field_required: [400, null],
  field_invalid: [400, null],
  card_too_large: [400, null],
  unknown_block: [400, null],
  unknown_button: [400, null],
  email_taken: [400, null],
  slug_taken: [400, null],
  interaction_id_taken: [400, null],
  attribute_limit: [400, null],
  attribute_setting_limit: [400, null],
  header_action_limit: [400, null],
  last_workspace: [400, 'Cannot delete the last workspace'],
  no_password: [400, 'This account has no password'],
  sign_on_ended: [400, 'Start single sign-on again'],
  owner_role: [400, "The owner's role cannot change"],
  owner_leaves: [400, 'The owner cannot leave; transfer the workspace first'],
  workspace_not_protected: [400, 'Workspace is not protected'],
  no_webhook: [400, 'Channel has no webhook_url'],
  button_disabled: [400, 'Button is disabled'],
  not_an_input: [400, null],
  not_sent_on_change: [400, null],

  unauthorized: [401, 'Unauthorized'],
  /** The same for an unknown user and a wrong password. */
  invalid_credentials: [401, 'Invalid email or password'],
  password_required: [401, 'Password required'],

  access_denied: [403, 'Access denied'],
  invalid_password: [403, 'Invalid password'],
  sign_ups_closed: [403, 'Sign-ups are closed'],
  password_sign_in_off: [403, 'Password sign-in is turned off'],
  sign_on_not_yours: [403, 'This sign-in is for another e-mail address'],
  invite_not_yours: [403, 'This invite is for another e-mail address'],
  channel_not_interactive: [403, 'Channel is not interactive'],
  sign_in: [403, 'Sign in to decide'],
  not_allowed: [403, 'You may not decide this'],
  agents: [403, 'Agents may not decide this'],
  own_question: [403, 'The key that asked may not decide'],

  not_found: [404, 'Not found'],
  workspace_not_found: [404, 'Workspace not found'],
  channel_not_found: [404, 'Channel not found'],
  page_not_found: [404, 'Page not found'],
  card_not_found: [404, 'Card not found'],
  block_not_found: [404, 'Block not found'],
  button_not_found: [404, 'Button not found'],
  action_not_found: [404, 'Action not found'],
  decision_not_found: [404, 'Decision not found'],
  signature_not_found: [404, 'Signature not found'],
  interaction_not_found: [404, 'Interaction not found'],
  delivery_not_found: [404, 'Delivery not found'],
  api_key_not_found: [404, 'API key not found'],
  session_not_found: [404, 'Session not found'],
  member_not_found: [404, 'Member not found'],
  invite_not_found: [404, 'Invite not found'],
  reset_link_not_found: [404, 'Reset link not found'],

  idempotency_key_in_use: [409, 'A request with this Idempotency-Key is still running'],
  already_decided: [409, 'Already decided'],
  expired: [409, 'Decision has expired'],
  cancelled: [409, 'Decision was cancelled'],
  asked_again: [409, 'The question was asked again'],
  card_changed: [409, 'The card has changed since it was shown'],
  ended: [409, null],
  key_in_use: [409, 'A different question with this key is waiting'],

  body_too_large: [413, 'Request body too large'],
  encoding_not_supported: [415, 'Content-Encoding is not supported'],
  idempotency_key_reused: [422, 'Idempotency-Key was used with a different request'],

  daily_card_limit: [429, 'Daily card limit reached'],
  daily_channel_limit: [429, 'Daily channel limit reached'],
  daily_byte_limit: [429, 'Daily byte limit reached'],
  workspace_limit: [429, 'Workspace limit reached'],
  api_key_limit: [429, 'API key limit reached'],
  member_limit: [429, 'Member limit reached'],
  invite_limit: [429, 'Invite limit reached'],
  too_many_actions: [429, 'Too many actions'],
  too_many_attempts: [429, 'Too many failed attempts'],
  too_many_sign_ups: [429, 'Too many sign-ups'],
  too_many_tests: [429, 'Too many tests'],
  too_many_redeliveries: [429, 'Too many redeliveries'],
  too_many_connections: [429, 'Too many connections'],
  too_many_event_streams: [429, 'Too many event streams'],
  too_many_waits: [429, 'Too many waiting requests'],
  too_many_unread: [429, 'Too many unread responses'],
  too_many_stored: [429, 'Too many kept answers'],

  internal_error: [500, 'Internal server error'],
  unavailable: [503, 'Service unavailable'],
  sign_on_unavailable: [503, 'Single sign-on is unavailable'],
} as const satisfies Record<string, Entry>

export type ErrorCode = keyof typeof ERRORS

/** Codes whose message is always the same. */
export type PlainCode = { [C in ErrorCode]: (typeof ERRORS)[C][1] extends string ? C : never }[ErrorCode]

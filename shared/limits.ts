// Limits, of the specification and our own.

export const CARD_STATUSES = ['default', 'success', 'warning', 'error', 'pending'] as const

export const CHANNEL_NAME_MAX = 80
export const CHANNEL_DESCRIPTION_MAX = 300
export const WORKSPACE_NAME_MAX = 80
export const ACTION_LABEL_MAX = 80
export const ACTIONS_MAX = 100
export const ATTRIBUTE_KEY_MAX = 64
export const ATTRIBUTE_VALUE_MAX = 1_000
export const ATTRIBUTES_MAX = 100
export const ATTRIBUTE_SETTINGS_MAX = 200
export const API_KEY_NAME_MAX = 80
export const USER_NAME_MAX = 100
export const EMAIL_MAX = 254
export const URL_MAX = 2_048
export const API_KEYS_PER_USER = 100
export const SESSIONS_PER_USER = 100
/** Open invites of a workspace, and how many accounts one invite may admit. */
export const INVITES_MAX = 100
export const INVITE_USES_MAX = 100
export const INVITE_DAYS_DEFAULT = 7
export const INVITE_DAYS_MAX = 30
export const PASSWORD_MIN = 8
export const PASSWORD_MAX = 128

export const BLOCKS_MAX = 100
export const BLOCK_ID_MAX = 100
export const BLOCK_STRING_MAX = 10_000
export const KV_ROWS_MAX = 200
export const BUTTONS_MAX = 25
export const OPTIONS_MAX = 100
export const CARD_KEY_MAX = 255

export const REPLY_MAX = 10_000

export const DECISION_KEY_MAX = 255
export const COMMENT_MAX = 2_000
export const SEEN_MAX = 64
/** How many e-mail addresses a decision may list. */
export const LISTED_MAX = 50
/** Of the cards that wait for a viewer, so many are read at once. */
export const WAITING_MAX = 50
/** How many presses of a block or header action viewers see, and how far they are counted. */
export const RECEIPTS_SHOWN = 5
export const RECEIPTS_TOTAL_MAX = 1_000_000
/** 366 days, in seconds. */
export const EXPIRES_IN_MAX = 31_622_400

/** Of a card's blocks as JSON. PATCHes let a card grow, but every read returns it whole. */
export const CARD_MAX_BYTES = 262_144

export const PAGE_SIZE = 64
export const LIVE_PAGES = 5
/** A larger document keeps only its newest pages, as many as fit into half of this, and at least the newest one. */
export const LIVE_MAX_BYTES = 4 * 1024 * 1024

export const BODY_MAX_BYTES = 256 * 1024
/** Arrays and objects inside each other; the body is the first. */
export const JSON_LEVELS_MAX = 64
export const IDEMPOTENCY_KEY_MAX = 255
export const LIST_LIMIT_DEFAULT = 50
export const LIST_LIMIT_MAX = 200
/** A list ends after the item that reaches this, even if the limit allows more. */
export const LIST_MAX_BYTES = 4 * 1024 * 1024
/** Of responses that a user or network address, or all together, haven't read. */
export const UNREAD_MAX_BYTES = 64 * 1024 * 1024
export const UNREAD_MAX_BYTES_IN_ALL = 512 * 1024 * 1024

export const SOCKETS_PER_CHANNEL = 20_000
export const EVENT_STREAMS_PER_KEY = 20

/** How long a request may wait for a decision, in seconds. */
export const WAIT_MAX_S = 60
export const WAITS_PER_KEY = 1_000
export const WAITS_PER_INSTANCE = 20_000

/** How long a coding agent may wait for a press, in seconds, and how many of its hooks a key may have open. */
export const HOOK_WAIT_MIN_S = 10
export const HOOK_WAIT_MAX_S = 3_600
export const HOOKS_PER_KEY = 30

export const USAGE_DAYS_DEFAULT = 30
export const USAGE_DAYS_MAX = 90

/** The header `Error-Field`. Keys and labels belong to paths, and may be long; clients refuse long headers. */
export const ERROR_FIELD_MAX = 1_024

// The first page of the reference, in Markdown: the rules that hold for every operation.
import {
  BODY_MAX_BYTES,
  CARD_MAX_BYTES,
  LIST_LIMIT_DEFAULT,
  LIST_LIMIT_MAX,
  LIST_MAX_BYTES,
  UNREAD_MAX_BYTES,
} from '../../shared/limits.ts'

export const introduction = `Push cards made of blocks into channels. Everyone who watches a channel sees them appear, change and go.

## API keys

Send \`Authorization: Bearer <API key>\` with every request. Create keys in the dashboard. A key has a scope, and can be limited to one workspace:

| Scope | Allows |
|---|---|
| \`read\` | reading |
| \`write\` | also to push, change and delete cards, set attributes and create header actions |
| \`full\` | also to create, change and delete channels |

Each operation names the scope that it needs.

## Errors

Every error is \`{"error": "<message>"}\`, and the message names the field: \`blocks[2].buttons[0].label is required\`. Two headers are for programs:

| Header | Says |
|---|---|
| \`Error-Code\` | which error it is, such as \`card_not_found\` |
| \`Error-Field\` | the path of the field at fault |

A request is checked in this order. The first check that fails decides the response:

| Check | Status |
|---|---|
| API key | 401 |
| ids in the path | 404, 403 |
| scope of the key | 403 |
| size of the body | 413 |
| compression of the body | 415 |
| content type, JSON and fields | 400 |
| ids in the body | 404, 403 |
| \`Idempotency-Key\` | 409, 422, 429 |
| limits | 429 |

Bodies are JSON with \`Content-Type: application/json\`, at most ${BODY_MAX_BYTES / 1024} KiB. Unknown fields are ignored. Responses may gain fields.

The blocks of a card take at most ${CARD_MAX_BYTES / 1024} KiB as JSON, with their defaults and after every change. A larger card from before this limit can be read and changed, but not grow.

## Repeating a request

Send an \`Idempotency-Key\` when you create a channel or write a card, and repeat the request as often as needed. Within 24 hours the same key with the same body takes effect once; repeats get the first response, with \`Idempotent-Replayed: true\`.

## Limits

Cards and channels are counted per user and UTC day. Responses to requests that count have \`RateLimit-Policy\` and \`RateLimit\`; a 429 also has \`Retry-After\`.

Read what you request: with more than ${UNREAD_MAX_BYTES / 1_048_576} MiB of large responses on their way to a user, further ones get 429 \`Too many unread responses\`, and event streams wait.

## Lists

Lists start with the newest, ${LIST_LIMIT_DEFAULT} to a page; \`limit\` allows up to ${LIST_LIMIT_MAX}. Pass \`next_cursor\` as \`cursor\` to get the next page; it is null on the last one. A page has fewer items than \`limit\` if they are large, about ${LIST_MAX_BYTES / 1_048_576} MiB.

## Browsers

Any origin may call the API, without cookies. Responses with your data have \`Cache-Control: no-store\`.
`

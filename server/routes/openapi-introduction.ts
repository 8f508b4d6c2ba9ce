// The first page of the reference, in Markdown: what holds for every operation.
import { BODY_MAX_BYTES, LIST_LIMIT_DEFAULT, LIST_LIMIT_MAX } from '../../shared/limits.ts'

export const introduction = `Push cards made of blocks into channels; whoever watches a channel sees them appear, change and go.

## Keys

Every call carries \`Authorization: Bearer <API key>\`. Keys are made in the dashboard. A key has a scope, and may be confined to one workspace:

| Scope | May |
|---|---|
| \`read\` | read |
| \`write\` | also push, change and delete cards, set attributes, create header actions |
| \`full\` | also create, change and delete channels |

Each operation names the scope that it needs.

## Errors

Every refusal is \`{"error": "<message>"}\`, and the message names the field: \`blocks[2].buttons[0].label is required\`. Checks come in this order: 401; ids in the path 404, 403; the key’s scope 403; size 413, content type, JSON and fields 400; ids in the body 404, 403; Idempotency-Key 409, 422, 429; limits 429.

Bodies are JSON with \`Content-Type: application/json\`, at most ${BODY_MAX_BYTES / 1024} KiB. Fields that an operation does not know are ignored; answers may gain fields.

## Repeating a request

Send an \`Idempotency-Key\` with a request that creates a channel or writes a card, and repeat it as often as it takes: the same key with the same body within 24 hours is done once, and answered with the first answer and \`Idempotent-Replayed: true\`.

## Limits

Cards and channels are counted per user and UTC day. The answers to what is counted carry \`RateLimit-Policy\` and \`RateLimit\`; a 429 also \`Retry-After\`.

## Lists

Newest first, ${LIST_LIMIT_DEFAULT} on a page unless \`limit\` says otherwise (up to ${LIST_LIMIT_MAX}). \`next_cursor\` of an answer is the \`cursor\` of the next page; null on the last.

## Browsers

Any origin may call, without cookies. Answers with your data carry \`Cache-Control: no-store\`.
`

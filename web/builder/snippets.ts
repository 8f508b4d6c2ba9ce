// Writes a request as code for a shell, JavaScript or Python. The API key stays in the environment.
import { formatJson } from './format-json.ts'

export const LANGUAGES = ['curl', 'javascript', 'python'] as const
export type Language = (typeof LANGUAGES)[number]

export type CardRequest = { method: 'POST' | 'PUT' | 'PATCH'; url: string; body: unknown }

export const KEY_VARIABLE = 'CHANNEL_FEED_KEY'

/** Linux allows no argument of 128 KiB or more. */
const ARGUMENT_MAX_BYTES = 100_000

function curl({ method, url, body }: CardRequest): string {
  const json = formatJson(body)
  const long = new TextEncoder().encode(json).length > ARGUMENT_MAX_BYTES
  // The end marker can't be a line of the JSON.
  const data = long ? `@- <<'JSON'\n${json}\nJSON` : shellText(json)
  return `curl -X ${method} ${shellText(url)} \\
  -H "Authorization: Bearer $${KEY_VARIABLE}" \\
  -H 'Content-Type: application/json' \\
  -d ${data}`
}

const shellText = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const javascript = ({ method, url, body }: CardRequest) => `\
const response = await fetch(${JSON.stringify(url)}, {
  method: '${method}',
  headers: {
    Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,
    'Content-Type': 'application/json',
  },
  body: JSON.stringify(${indented(formatJson(body), '  ')}),
})
if (!response.ok) throw new Error(await response.text())
console.log(await response.json())`

/** JSON's strings and numbers are valid Python. */
const PYTHON_WORDS = { true: 'True', false: 'False', null: 'None' }

const python = ({ method, url, body }: CardRequest) => `\
import json
import os
import urllib.request

body = ${formatJson(body, PYTHON_WORDS)}

request = urllib.request.Request(
    ${JSON.stringify(url)},
    method="${method}",
    headers={
        "Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"],
        "Content-Type": "application/json",
    },
    data=json.dumps(body).encode(),
)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`

const WRITERS: Record<Language, (request: CardRequest) => string> = { curl, javascript, python }

export const snippet = (language: Language, request: CardRequest): string => WRITERS[language](request)

/** Indents lines of JSON. Its strings contain no line breaks. */
const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

export const cardsUrl = (origin: string, channelId: string) => `${origin}/api/v1/channels/${channelId}/cards`

/** For a path in a quoted string. */
export const inPath = (key: string) => encodeURIComponent(key).replaceAll("'", '%27')

// Writes a request as code for a shell, JavaScript (also TypeScript) or Python.
import { formatJson } from './format-json.ts'

export const LANGUAGES = ['curl', 'javascript', 'python'] as const
export type Language = (typeof LANGUAGES)[number]

export type ApiRequest = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  body?: unknown
  /** Besides the API key and the content type. */
  headers?: Record<string, string>
  /** If undefined, the code reads it from the environment. If null, the request needs none. */
  key?: string | null
  /** What a success returns; JSON if undefined. */
  returns?: 'json' | 'text' | 'stream' | 'nothing'
}

export const KEY_VARIABLE = 'CHANNEL_FEED_KEY'

/** Linux allows no argument of 128 KiB or more. */
const ARGUMENT_MAX_BYTES = 100_000

function curl({ method, url, body, headers = {}, key, returns }: ApiRequest): string {
  const verb = method === 'GET' ? '' : ` -X ${method}`
  return [
    `curl${returns === 'stream' ? ' -N' : ''}${verb} ${shellText(url)}`,
    ...(key === undefined ? [`-H "Authorization: Bearer $${KEY_VARIABLE}"`] : []),
    ...(typeof key === 'string' ? [`-H ${shellText(`Authorization: Bearer ${key}`)}`] : []),
    ...Object.entries(headers).map(([name, value]) => `-H ${shellText(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d ${curlBody(body)}`]),
  ].join(' \\\n  ')
}

function curlBody(body: unknown): string {
  const json = formatJson(body)
  const long = new TextEncoder().encode(json).length > ARGUMENT_MAX_BYTES
  // The end marker can't be a line of the JSON.
  return long ? `@- <<'JSON'\n${json}\nJSON` : shellText(json)
}

const shellText = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

const JAVASCRIPT_PRINTS = {
  json: 'console.log(await response.json())',
  text: 'console.log(await response.text())',
  stream: 'for await (const part of response.body ?? []) process.stdout.write(part)',
  nothing: 'console.log(response.status)',
}

function javascript({ method, url, body, headers = {}, key, returns = 'json' }: ApiRequest): string {
  const fields = [
    ...(key === undefined ? [`Authorization: \`Bearer \${process.env.${KEY_VARIABLE}}\`,`] : []),
    ...(typeof key === 'string' ? [`Authorization: ${JSON.stringify(`Bearer ${key}`)},`] : []),
    ...(body === undefined ? [] : [`'Content-Type': 'application/json',`]),
    ...Object.entries(headers).map(([name, value]) => `'${name}': ${JSON.stringify(value)},`),
  ]
  const options = [
    ...(method === 'GET' ? [] : [`  method: '${method}',`]),
    ...(fields.length === 0 ? [] : ['  headers: {', ...fields.map(field => `    ${field}`), '  },']),
    ...(body === undefined ? [] : [`  body: JSON.stringify(${indented(formatJson(body), '  ')}),`]),
  ]
  const given = options.length === 0 ? '' : `, {\n${options.join('\n')}\n}`
  return `\
const response = await fetch(${JSON.stringify(url)}${given})
if (!response.ok) throw new Error(await response.text())
${JAVASCRIPT_PRINTS[returns]}`
}

/** JSON's strings and numbers are valid Python. */
const PYTHON_WORDS = { true: 'True', false: 'False', null: 'None' }

const PYTHON_PRINTS = {
  json: 'print(json.load(response))',
  text: 'print(response.read().decode())',
  stream: 'for line in response:\n        print(line.decode(), end="")',
  nothing: 'print(response.status)',
}

function python({ method, url, body, headers = {}, key, returns = 'json' }: ApiRequest): string {
  const fields = [
    ...(key === undefined ? [`"Authorization": "Bearer " + os.environ["${KEY_VARIABLE}"],`] : []),
    ...(typeof key === 'string' ? [`"Authorization": ${JSON.stringify(`Bearer ${key}`)},`] : []),
    ...(body === undefined ? [] : ['"Content-Type": "application/json",']),
    ...Object.entries(headers).map(([name, value]) => `"${name}": ${JSON.stringify(value)},`),
  ]
  const modules = [
    ...(body !== undefined || returns === 'json' ? ['json'] : []),
    ...(key === undefined ? ['os'] : []),
    'urllib.request',
  ]
  return [
    ...modules.map(name => `import ${name}`),
    '',
    ...(body === undefined ? [] : [`body = ${formatJson(body, PYTHON_WORDS)}`, '']),
    'request = urllib.request.Request(',
    `    ${JSON.stringify(url)},`,
    `    method="${method}",`,
    ...(fields.length === 0 ? [] : ['    headers={', ...fields.map(field => `        ${field}`), '    },']),
    ...(body === undefined ? [] : ['    data=json.dumps(body).encode(),']),
    ')',
    'with urllib.request.urlopen(request) as response:',
    `    ${PYTHON_PRINTS[returns]}`,
  ].join('\n')
}

const WRITERS: Record<Language, (request: ApiRequest) => string> = { curl, javascript, python }

export const snippet = (language: Language, request: ApiRequest): string => WRITERS[language](request)

/** Indents lines of JSON. Its strings contain no line breaks. */
const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

export const cardsUrl = (origin: string, channelId: string) => `${origin}/api/v1/channels/${channelId}/cards`

/** For a path in a quoted string. */
export const inPath = (key: string) => encodeURIComponent(key).replaceAll("'", '%27')

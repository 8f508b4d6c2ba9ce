// A stand-in for curl that knows the options which our snippets use.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    request: { type: 'string', short: 'X' },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    data: { type: 'string', short: 'd' },
    'no-buffer': { type: 'boolean', short: 'N' },
    silent: { type: 'boolean', short: 's' },
  },
})
const [url = ''] = positionals
const body = values.data === '@-' ? readFileSync(0, 'utf8').replaceAll('\n', '') : values.data
const headers = values.header.map(line => {
  const colon = line.indexOf(':')
  return /** @type {[string, string]} */ ([line.slice(0, colon), line.slice(colon + 1).trim()])
})
const response = await fetch(url, {
  method: values.request ?? (body === undefined ? 'GET' : 'POST'),
  headers,
  body,
})
process.stdout.write(await response.text())

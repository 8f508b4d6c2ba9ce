// Code snippets of requests without a body, with other headers, and with a key that the code contains.
import { expect, test } from 'vitest'
import { type ApiRequest, LANGUAGES, snippet } from '../../web/builder/snippets.ts'

const URL = 'https://feed.example/api/v1/channels'
const all = (request: ApiRequest) => LANGUAGES.map(language => snippet(language, request)).join('\n')

test('a GET without a key is one short line', () => {
  const request: ApiRequest = { method: 'GET', url: URL, key: null }
  expect(snippet('curl', request)).toBe(`curl '${URL}'`)
  expect(snippet('javascript', request)).toMatch(`await fetch("${URL}")\n`)
  expect(snippet('python', request)).not.toMatch(/headers|import os|data=/)
})

test('the key comes from the environment, unless one is given', () => {
  expect(all({ method: 'GET', url: URL }).match(/CHANNEL_FEED_KEY/g)).toHaveLength(3)
  const given = all({ method: 'GET', url: URL, key: 'cf_1' })
  expect(given.match(/Bearer cf_1/g)).toHaveLength(3)
  expect(given).not.toContain('CHANNEL_FEED_KEY')
})

test('headers appear in each language, with quotes escaped', () => {
  const request: ApiRequest = { method: 'GET', url: URL, headers: { 'Idempotency-Key': `it's "1"` } }
  expect(snippet('curl', request)).toContain(`-H 'Idempotency-Key: it'\\''s "1"'`)
  expect(snippet('javascript', request)).toContain(`'Idempotency-Key': "it's \\"1\\"",`)
  expect(snippet('python', request)).toContain(`"Idempotency-Key": "it's \\"1\\"",`)
})

test('only responses that are JSON are parsed', () => {
  const reads = (returns: ApiRequest['returns']) => all({ method: 'DELETE', url: URL, returns })
  expect(reads('json').match(/json\(\)|json\.load/g)).toHaveLength(2)
  for (const returns of ['text', 'stream', 'nothing'] as const) expect(reads(returns)).not.toMatch(/json/)
  for (const part of ['curl -N', 'for await (', 'for line in response'])
    expect(reads('stream')).toContain(part)
})

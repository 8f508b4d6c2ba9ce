// Where the client's address, key and channel come from.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { ChannelFeed } from '../../client/channel-feed.ts'
import { InvalidRequestError } from '../../client/errors.ts'

afterEach(() => vi.unstubAllEnvs())

/** The first request of a client with these options. */
async function firstRequest(options: { url?: string; key?: string } = {}) {
  const sent: { url: string; authorization: string | null }[] = []
  const fetch: typeof globalThis.fetch = async (url, init) => {
    sent.push({ url: String(url), authorization: new Headers(init?.headers).get('Authorization') })
    return Response.json([])
  }
  await new ChannelFeed({ ...options, fetch }).workspaces()
  return sent[0]
}

test('without options the client uses the environment', async () => {
  vi.stubEnv('CHANNEL_FEED_URL', 'https://feed.example.com/')
  vi.stubEnv('CHANNEL_FEED_KEY', 'cf_environment')
  const wanted = { url: 'https://feed.example.com/api/v1/workspaces', authorization: 'Bearer cf_environment' }
  expect(await firstRequest()).toEqual(wanted)
})

test('options win over the environment', async () => {
  vi.stubEnv('CHANNEL_FEED_URL', 'https://elsewhere.example.com')
  vi.stubEnv('CHANNEL_FEED_KEY', 'cf_environment')
  const wanted = { url: 'https://feed.example.com/api/v1/workspaces', authorization: 'Bearer cf_mine' }
  expect(await firstRequest({ url: 'https://feed.example.com', key: 'cf_mine\n' })).toEqual(wanted)
})

test('without an address it is the local service, and without a key the session’s API', async () => {
  for (const name of ['URL', 'KEY']) vi.stubEnv(`CHANNEL_FEED_${name}`, '')
  expect(await firstRequest()).toEqual({ url: 'http://localhost:3000/api/workspaces', authorization: null })
})

test('an empty address is the page’s own site', async () => {
  vi.stubEnv('CHANNEL_FEED_URL', 'https://elsewhere.example.com')
  expect((await firstRequest({ url: '', key: '' }))?.url).toBe('/api/workspaces')
})

test.each(['feed.example.com', 'localhost:3000', 'ftp://feed.example.com'])('%s is no address', url => {
  expect(() => new ChannelFeed({ url })).toThrow(InvalidRequestError)
})

test('the channel comes from the environment, or is required', () => {
  const client = new ChannelFeed({ url: 'http://feed.example.com', key: 'cf_test' })
  vi.stubEnv('CHANNEL_FEED_CHANNEL', '')
  expect(() => client.channel()).toThrow('channel is required: name it, or set CHANNEL_FEED_CHANNEL')
  vi.stubEnv('CHANNEL_FEED_CHANNEL', 'from-environment')
  expect([client.channel().id, client.channel('mine').id]).toEqual(['from-environment', 'mine'])
})

describe('a path', () => {
  const client = new ChannelFeed({ url: 'http://feed.example.com', key: 'cf_test' })

  // `/channels/c/cards/..` would delete the channel.
  test.each(['', '.', '..'])('an id or key %j is refused before a request', id => {
    const feed = client.channel('c')
    expect(() => feed.remove(id)).toThrow(InvalidRequestError)
    expect(() => feed.card({ key: id })).toThrow(InvalidRequestError)
    if (id !== '') expect(() => client.channel(id)).toThrow(InvalidRequestError)
  })
})

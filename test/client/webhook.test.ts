// `verifyWebhook`, with requests that the service sends.
import { describe, expect, test } from 'vitest'
import { verifyWebhook, WebhookVerificationError } from '../../client/webhook.ts'
import { signatureHeaders } from '../../server/webhooks/sign.ts'
import { runReceiver, runService } from '../support/running.ts'
import { buildScene } from '../support/scene.ts'

const secretOf = (letter: string) => `whsec_${Buffer.from(letter.repeat(32)).toString('base64')}`
const [secret, old] = [secretOf('a'), secretOf('b')]
const now = Math.floor(Date.now() / 1_000)
const body = JSON.stringify({ interaction_id: 'x', trigger: { type: 'reply', text: 'ünïcödé' } })
const signed = (at = now, secrets = [secret]) => signatureHeaders('id', at, body, secrets)

describe('a signed request', () => {
  const bytes = new TextEncoder().encode(body)

  test.each<[string, Parameters<typeof verifyWebhook>[0]]>([
    ['a Request', new Request('http://here.invalid', { method: 'POST', headers: signed(), body })],
    ['the headers of Node and a Buffer', { headers: signed(), body: Buffer.from(body) }],
    ['Headers and bytes', { headers: new Headers(signed()), body: bytes }],
    ['an ArrayBuffer', { headers: signed(), body: bytes.buffer }],
    ['a text', { headers: signed(), body }],
    ['header names in capitals', { headers: upperCase(signed()), body }],
  ])('%s returns the body', async (_, request) => {
    expect(await verifyWebhook(request, secret)).toEqual(JSON.parse(body))
  })

  test('any of several secrets is enough, so that a secret can be replaced', async () => {
    expect(await verifyWebhook({ headers: signed(), body }, [old, secret])).toEqual(JSON.parse(body))
    expect(await verifyWebhook({ headers: signed(now, [old, secret]), body }, secret)).toEqual(
      JSON.parse(body),
    )
  })

  test.each([-299, 0, 299])('a time %d s from now is accepted', async seconds => {
    await expect(verifyWebhook({ headers: signed(now + seconds), body }, secret)).resolves.toBeDefined()
  })
})

const upperCase = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]))

test.each<[string, Parameters<typeof verifyWebhook>[0], string | string[]]>([
  ['another secret', { headers: signed(), body }, old],
  ['no secret', { headers: signed(), body }, []],
  ['another body', { headers: signed(), body: `${body} ` }, secret],
  ['an empty body', { headers: signed(), body: '' }, secret],
  ['an old request', { headers: signed(now - 301), body }, secret],
  ['a future request', { headers: signed(now + 330), body }, secret],
  ['another id', { headers: { ...signed(), 'webhook-id': 'other' }, body }, secret],
  ['no signature', { headers: { ...signed(), 'webhook-signature': undefined }, body }, secret],
  ['a signature without its version', { headers: { ...signed(), 'webhook-signature': 'v1' }, body }, secret],
  ['no headers', { headers: {}, body }, secret],
  ['bytes that are not UTF-8', { headers: signed(), body: new Uint8Array([0xff, 0xfe]) }, secret],
])('%s throws WebhookVerificationError', async (_, request, secrets) => {
  await expect(verifyWebhook(request, secrets)).rejects.toThrow(WebhookVerificationError)
})

test('a delivery of the service is verified as it arrives', async () => {
  const receiver = await runReceiver()
  const { account, channel_id } = await buildScene(await runService(), { webhook_url: receiver.url })
  const { body: webhook } = await account.session<{ secret: string }>(
    'GET',
    `/channels/${channel_id}/webhook-secret`,
  )
  const reply = { trigger: { type: 'reply', text: 'ünïcödé' } }
  await account.session('POST', `/channels/${channel_id}/interactions`, reply)
  const [request = { headers: {}, body: '' }] = await receiver.hasReceived(1)
  const verified = await verifyWebhook(request, webhook.secret)
  expect(verified).toMatchObject({ channel_id, ...reply })
  await expect(verifyWebhook(request, secret)).rejects.toThrow(WebhookVerificationError)
})

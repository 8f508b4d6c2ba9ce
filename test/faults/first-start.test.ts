// The first start on a machine without a network.
import { expect, test } from 'vitest'
import { withKey } from '../support/account.ts'
import { startServer } from '../support/server.ts'

test("the samples' images come from the service itself", async () => {
  const server = await startServer()
  type Cards = { cards: { blocks: { type: string; url?: string }[] }[] }
  const call = withKey(server.url, server.api_key)
  const { body } = await call<Cards>('GET', `/channels/${server.channel_id}/cards`)
  const images = body.cards.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'image')
  expect(images).toHaveLength(1)
  for (const { url = '' } of images) {
    expect(new URL(url).port).toBe(new URL(server.url).port)
    const image = await fetch(url)
    expect(image.status).toBe(200)
    expect(image.headers.get('Content-Type')).toMatch(/^image\//)
  }
  await server.stop()
})

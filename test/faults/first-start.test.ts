// The first start on a machine without a network.
import { expect, test } from 'vitest'
import { startServer } from '../support/server.ts'

test("the samples' images come from the service itself", async () => {
  const server = await startServer()
  const response = await fetch(`${server.url}/api/v1/channels/${server.channel_id}/cards`, {
    headers: { Authorization: `Bearer ${server.api_key}` },
  })
  const { cards }: { cards: { blocks: { type: string; url?: string }[] }[] } = await response.json()
  const images = cards.flatMap(({ blocks }) => blocks).filter(({ type }) => type === 'image')
  expect(images).toHaveLength(1)
  for (const { url = '' } of images) {
    expect(new URL(url).port).toBe(new URL(server.url).port)
    const image = await fetch(url)
    expect(image.status).toBe(200)
    expect(image.headers.get('Content-Type')).toMatch(/^image\//)
  }
  await server.stop()
})

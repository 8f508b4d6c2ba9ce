// The card builder.
import { deflateRawSync } from 'node:zlib'
import { test } from 'vitest'
import { openSignedIn } from '../support/stage.ts'

export function builderRules(): void {
  test('a link to a card that was cut off says so', async () => {
    const card = JSON.stringify({ blocks: [{ type: 'text', content: 'Error rate above 2 %' }] })
    const whole = deflateRawSync(card).toString('base64url')
    const page = await openSignedIn()
    await page.goto(`/dashboard/builder#card=${whole.slice(0, -20)}`)
    await page.sees('The card in the link can’t be read')
  })
}

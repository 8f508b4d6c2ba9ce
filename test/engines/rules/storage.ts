// Browsers that refuse to save anything for a site.
import { expect, test } from 'vitest'
import { buttons, input, text } from '../../browser/support/api.ts'
import { valueIn } from '../../browser/support/hooks.ts'
import { allowFaults, api, hooks, openBlocked, session } from '../support/stage.ts'

export function storageRules(): void {
  test('with site data blocked, a public channel is readable and live, and a press is sent', async () => {
    const { id: workspace_id } = await session<{ id: string }>('POST', '/workspaces', { name: 'Open' })
    await session('PATCH', `/workspaces/${workspace_id}`, { visibility: 'public' })
    const { id } = await api.createChannel('Open to all', { workspace_id, ...hooks.at('/blocked') })
    await api.push(id, [text('Ready?'), input('note', 'Note'), buttons('Go')])

    const page = await openBlocked()
    // Nothing is kept, and the app says so in the console.
    allowFaults(/not available|keeps nothing|not told|in memory only|will not open offline/)
    await page.goto(`/c/${id}`)
    await page.sees('Ready?')
    await api.push(id, [text('Pushed meanwhile')])
    await page.sees('Pushed meanwhile')
    await page.fill('Note', 'typed')
    await page.click('button', 'Go')
    const [hook] = await hooks.hooks('/blocked', 1)
    expect(valueIn(hook, 'note')).toBe('typed')
  })
}

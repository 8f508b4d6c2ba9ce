// Questions in each of their states, and receipts.
import type { Page, Route } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'
import { type Api, buttons, question, text } from './api.ts'
import { choose, notesOf, questionOn } from './decisions.ts'
import { keepAndGoOffline, owner, type Scene } from './scenes.ts'
import { card, openChannel } from './visit.ts'

const CHOICES = ['Approve', { id: 'hold', label: 'Hold', style: 'secondary' }] as const
const REJECT = { id: 'reject', label: 'Reject…', style: 'danger' }

export function decisionScenes(server: TestServer, api: Api): Scene[] {
  const ask = (channel: string, title: string, decision: object) =>
    api.push(channel, [text(title), question(decision, ...CHOICES, REJECT)], 'pending')
  const pressAs = (page: Page, channel: string, card_id: string, button_id: string, comment?: string) =>
    page.context().request.post(`${server.url}/api/channels/${channel}/interactions`, {
      data: { card_id, trigger: { type: 'button_click', button_id, comment } },
      headers: { Origin: server.url },
      failOnStatusCode: true,
    })
  const start = async (page: Page) => {
    const { id } = await api.createChannel('Release train', { icon: '🚆' })
    const { decisions: [withdrawn] = [] } = await ask(id, 'Release 2.0.0', {})
    await api.withdraw(id, withdrawn?.id ?? '')
    const ids = {
      expired: (await ask(id, 'Release 2.1.0', { expires_in: 1 })).id,
      decided: (await ask(id, 'Release 2.2.0', { comment: 'optional' })).id,
      lost: (await ask(id, 'Release 2.3.0', {})).id,
      mine: (await ask(id, 'Release 2.4.0', {})).id,
      plain: (await api.push(id, [text('Payments: error rate above 2 %'), buttons('Acknowledge', 'Silence')]))
        .id,
      waiting: (await ask(id, 'Release 2.5.0', { who: 'owner', expires_in: 800, comment: 'optional' })).id,
    }
    await openChannel(page, server, id)
    await pressAs(page, id, ids.decided, 'approve', 'Dashboards are green, go.')
    return { id, ids }
  }
  return [
    owner(
      'decisions',
      async page => {
        const { id, ids } = await start(page)
        await choose(card(page, 'Release 2.4.0'), 'Approve')
        await choose(card(page, 'Payments'), 'Acknowledge')
        await questionOn(page, 'Release 2.1.0').getByText('Closed without a decision').waitFor()
        const pressFirst = async (route: Route) => {
          if (route.request().postData()?.includes(ids.lost)) await pressAs(page, id, ids.lost, 'hold')
          await route.continue()
        }
        await page.route('**/interactions', pressFirst)
        await choose(card(page, 'Release 2.3.0'), 'Approve')
        await notesOf(questionOn(page, 'Release 2.3.0')).getByText('did not count').waitFor()
        await page.mouse.move(0, 0)
      },
      { rest: true },
    ),
    owner('decisions-offline', async page => {
      await start(page)
      await keepAndGoOffline(page)
      await choose(card(page, 'Release 2.4.0'), 'Approve')
      await notesOf(questionOn(page, 'Release 2.4.0')).waitFor()
    }),
  ]
}

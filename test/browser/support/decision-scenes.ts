// Questions in each of their states, and receipts.
import type { Page, Route } from 'playwright-core'
import type { TestServer } from '../../support/server.ts'
import { type Api, buttons, input, question, text } from './api.ts'
import { choose, notesOf, questionOn } from './decisions.ts'
import { answerLooks, looksAt } from './looks.ts'
import { failWith } from './requests.ts'
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
    owner('decisions-agents', page => showAgents(page, server, api), { rest: true }),
  ]
}

/** Cards as `ask` of the client makes them, each with another thing known about its agent. */
async function showAgents(page: Page, server: TestServer, api: Api): Promise<void> {
  const { id } = await api.createChannel('Approvals', { icon: '🤖' })
  const ask = async (content: string, decision: object, ...more: object[]) => {
    const blocks = [{ ...text(content), size: 'lg' }, ...more, question(decision, 'Approve', REJECT)]
    const { decisions: [asked] = [], ...pushed } = await api.push(id, blocks, 'pending')
    return { ...pushed, decision: asked?.id ?? '' }
  }
  const late = await ask('Restart the payment workers?', { abandon: 'cancel' })
  const left = await ask('Run npm publish in ~/shop?', { abandon: 'cancel', expires_in: 590 })
  const looked = await ask('Delete 14 backups that are older than a year?', { who: 'owner' })
  const details = 'The migration locks the orders table for about 40 s.\nRollback: v41, same schema.'
  const fields = [text(details, 'details'), input('ticket', 'Change ticket', { placeholder: 'OPS-123' })]
  const waiting = await ask(
    'Deploy v42 to production?',
    { expires_in: 3_600, comment: 'optional' },
    ...fields,
  )
  await answerLooks(page, {
    looks: {
      ...looksAt(waiting.decision, 0, true).looks,
      ...looksAt(looked.decision, 4).looks,
      ...looksAt(left.decision, 1).looks,
    },
  })
  await openChannel(page, server, id)
  await refuseAsAbandoned(page, `${server.url}/api/channels/${id}/cards/${late.id}/decision`)
  await choose(card(page, 'Restart the payment'), 'Approve')
  await notesOf(questionOn(page, 'Restart the payment')).waitFor()
  await page.mouse.move(0, 0)
  await questionOn(page, 'Deploy v42').getByText('An agent is waiting').waitFor()
}

/** The next press is late: the agent is gone. `current`: the address of the question. */
async function refuseAsAbandoned(page: Page, current: string): Promise<void> {
  const asked = await (await page.context().request.get(current)).json()
  const decision = { ...asked, state: 'cancelled', reason: 'abandoned', ended_at: new Date().toISOString() }
  const refuse = failWith('cancelled', { code: 'cancelled', decision })
  await page.route('**/interactions', refuse, { times: 1 })
}

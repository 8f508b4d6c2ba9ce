// A channel with three header actions, and the order in which they are.
import type { Page } from 'playwright-core'
import type { HeaderAction } from '../../../shared/header-action.ts'
import { section } from './page.ts'
import { settingsOf } from './settings.ts'
import { api, open, session } from './stage.ts'

/** A channel with the header actions Alpha, Beta and Gamma. */
export async function createOrdered(): Promise<string> {
  const { id } = await api.createChannel('Ordered')
  for (const [position, label] of ['Alpha', 'Beta', 'Gamma'].entries())
    await api.addAction(id, label, 'secondary', position)
  return id
}

/** Opens the settings of such a channel. */
export async function openOrdered() {
  const id = await createOrdered()
  return { id, ...(await open(settingsOf(id))) }
}

/** The labels of the header actions on the settings page. */
export const listedLabels = (page: Page) =>
  section(page, 'Header actions')
    .getByLabel(/^Label of/)
    .evaluateAll(all => all.flatMap(one => (one instanceof HTMLInputElement ? one.value : [])))

export const actionsOf = (channel: string) => session<HeaderAction[]>('GET', `/channels/${channel}/actions`)
export const labelsOf = async (channel: string) => (await actionsOf(channel)).map(({ label }) => label)

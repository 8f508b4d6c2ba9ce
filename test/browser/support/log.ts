// The log of a channel in the dashboard.
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { readLog } from './session.ts'
import { open, session } from './stage.ts'

export const openLog = (channel: string) => open(`/dashboard/channels/${channel}/log`)

export const postReply = (channel: string, words: string) =>
  session('POST', `/channels/${channel}/interactions`, { trigger: { type: 'reply', text: words } })

export const entry = (page: Page, words: string | RegExp) => page.getByRole('row').filter({ hasText: words })

export const details = (page: Page) => page.getByRole('complementary')

export const allDelivered = (channel: string) =>
  expect.poll(async () => (await statuses(channel)).includes('pending')).toBe(false)

export const statuses = async (channel: string) =>
  (await readLog(session, channel)).map(({ deliveries }) => deliveries[0]?.status)

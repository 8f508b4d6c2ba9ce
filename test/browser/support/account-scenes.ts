// The pages of single sign-on and of a new password.
import type { Page } from 'playwright-core'
import type { SignInMethods } from '../../../shared/sign-in-methods.ts'
import type { TestServer } from '../../support/server.ts'
import { press } from './page.ts'
import { failWith } from './requests.ts'
import { guest, type Scene } from './scenes.ts'

const EITHER: SignInMethods = { password: true, sign_up: 'open', oidc: { name: 'Acme ID' }, mail: false }
const PROVIDER: SignInMethods = { ...EITHER, password: false }

/** The sign-in page as if the service had these methods. */
export async function offerMethods(page: Page, methods: SignInMethods): Promise<void> {
  await page.route('**/api/auth/methods', route => route.fulfill({ json: methods }))
}

export function accountScenes({ url }: TestServer): Scene[] {
  const offered = (
    name: string,
    path: string,
    methods: SignInMethods,
    then?: (page: Page) => Promise<unknown>,
  ) =>
    guest(name, async page => {
      await offerMethods(page, methods)
      await page.goto(url + path)
      await page.getByRole('button', { name: /Continue with|Sign in and/ }).waitFor()
      await then?.(page)
    })
  const reset = (name: string, hash: string, heading: string, then?: (page: Page) => Promise<unknown>) =>
    guest(name, async page => {
      await page.route('**/api/auth/reset-password', route => route.fulfill({ json: { success: true } }))
      await page.goto(`${url}/reset${hash}`)
      await page.getByRole('heading', { name: heading }).waitFor()
      await then?.(page)
    })
  const change = async (page: Page): Promise<void> => {
    await page.getByLabel('New password').fill('a long password')
    await press(page, 'Change password')
  }
  return [
    offered('sign-in-either', '/sign-in', EITHER),
    offered('sign-in-provider', '/sign-in', { ...PROVIDER, sign_up: 'closed' }),
    offered('sign-in-long-name', '/sign-in', {
      ...EITHER,
      oidc: { name: 'Vereinigte Stadtwerke Nordfriesland Mitarbeiterkonto' },
    }),
    offered('sign-in-denied', '/sign-in?error=oidc_denied', EITHER),
    offered('sign-in-failed', '/sign-in?error=oidc_failed', PROVIDER),
    offered('sign-in-email', '/sign-in?error=oidc_email', EITHER),
    offered('sign-in-no-account', '/sign-in?error=oidc_sign_up', { ...EITHER, sign_up: 'invite' }),
    offered('sign-in-unavailable', '/sign-in', EITHER, async page => {
      await page.route('**/api/auth/oidc/start', failWith('sign_on_unavailable'))
      await press(page, 'Continue with')
      await page.getByRole('alert').filter({ hasText: 'answer' }).waitFor()
    }),
    offered('sign-in-link', '/sign-in?link=1', PROVIDER),
    offered('sign-in-link-other', '/sign-in?link=1', PROVIDER, async page => {
      await page.route('**/api/auth/sign-in/email', failWith('password_sign_in_off'))
      await page.getByLabel('E-mail').fill('bob@example.com')
      await page.getByLabel('Password').fill('a long password')
      await press(page, 'Sign in and connect')
      await page.getByText('Use the account').waitFor()
    }),
    offered('sign-up-either', '/sign-up', EITHER),
    guest('sign-in-away', async page => {
      await page.route('**/api/auth/methods', route => route.abort())
      await page.goto(`${url}/sign-in`)
      await page.getByText('The server can’t be reached').waitFor()
    }),
    reset('reset', '#token', 'Choose a new password'),
    reset('reset-void', '', 'This link is no longer valid'),
    reset('reset-done', '#token', 'Choose a new password', async page => {
      await change(page)
      await page.getByRole('heading', { name: 'Password changed' }).waitFor()
    }),
    reset('reset-offline', '#token', 'Choose a new password', async page => {
      await page.context().setOffline(true)
      await page.getByText('You are offline').waitFor()
    }),
  ]
}

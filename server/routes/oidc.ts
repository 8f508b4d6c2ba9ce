// Single sign-on with an OpenID Connect provider. These routes exist only if one is set up.
import {
  type SignOnError,
  type SignOnLinked,
  type SignOnStarted,
  startSignOnBody,
} from '../../shared/single-sign-on.ts'
import { clientAddress } from '../auth/client-address.ts'
import { createOidcClient, describeFailure, SignOnDenied } from '../auth/oidc-client.ts'
import { createSignOnCookies } from '../auth/sign-on-cookies.ts'
import { oidcSettings } from '../config.ts'
import { apiError } from '../errors.ts'
import { linkIdentity, signOn } from '../model/identities.ts'
import { previewInvite } from '../model/invites.ts'
import type { AppContext, RouteDeps, Routes } from './deps.ts'
import { readBody } from './request.ts'
import { startSession } from './start-session.ts'

const CALLBACK = '/auth/oidc/callback'

export function addOidcRoutes(routes: Routes, deps: RouteDeps) {
  const { sql, caller, config, throttle, log, public_url, now } = deps
  const settings = oidcSettings(config)
  if (!settings) return
  const oidc = createOidcClient(settings, `${public_url}/api${CALLBACK}`)
  const cookies = createSignOnCookies(deps)
  const cookiesOf = (c: AppContext) => c.env.incoming.headers.cookie
  const setCookie = (c: AppContext, cookie: string) => c.header('Set-Cookie', cookie, { append: true })

  routes.post('/auth/oidc/start', async c => {
    const { return_to, invite } = await readBody(c, startSignOnBody)
    if (invite !== undefined) {
      const address = clientAddress(c.env.incoming, config.trust_proxy)
      await throttle.tryToken(address, () => previewInvite(sql, invite, now()))
    }
    const { url, checks } = await oidc.begin().catch(error => {
      log.warn(describeFailure(error), 'the provider of single sign-on cannot be used')
      throw apiError('sign_on_unavailable', { headers: { 'Retry-After': '10' } })
    })
    setCookie(c, cookies.begun.set({ ...checks, return_to, invite }))
    return c.json<SignOnStarted>({ url })
  })

  /** People come here from the provider, so this is a GET. Only the browser that began can go on. */
  routes.get(CALLBACK, async c => {
    setCookie(c, cookies.begun.clear)
    const path = await finish(c).catch(error => {
      if (error instanceof SignOnDenied) return failed('oidc_denied', { reason: 'denied at the provider' })
      return failed('oidc_failed', describeFailure(error))
    })
    return c.redirect(path)
  })

  routes.post('/auth/oidc/link', caller, async c => {
    const unlinked = cookies.unlinked.read(cookiesOf(c))
    if (!unlinked) throw apiError('sign_on_ended')
    if (!(await linkIdentity(sql, unlinked, c.get('user_id')))) throw apiError('sign_on_not_yours')
    setCookie(c, cookies.unlinked.clear)
    return c.json<SignOnLinked>({ linked: true })
  })

  /** Returns the path to go on to. */
  async function finish(c: AppContext): Promise<string> {
    const begun = cookies.begun.read(cookiesOf(c))
    if (!begun) {
      const reason = 'this browser did not begin it in the last ten minutes, or not at PUBLIC_URL'
      return failed('oidc_failed', { reason })
    }
    const profile = await oidc.finish(new URL(c.req.url).search, begun)
    const verdict = await signOn(sql, profile, { config, invite: begun.invite ?? null, now: now() })
    if (verdict.kind === 'refuse') return failed(verdict.error, { reason: verdict.reason })
    if (verdict.kind === 'link') {
      const { issuer, subject } = profile
      setCookie(c, cookies.unlinked.set({ issuer, subject, email: verdict.email }))
      return '/sign-in?link=1'
    }
    await startSession(deps, c, verdict.user_id)
    return begun.return_to
  }

  function failed(error: SignOnError, details: Record<string, unknown>): string {
    log.warn(details, 'single sign-on failed')
    return `/sign-in?error=${error}`
  }
}

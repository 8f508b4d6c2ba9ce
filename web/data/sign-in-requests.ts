// The requests of the pages before a session. A failed one throws a `ChannelFeedError`.
import { NotFoundError } from '../../client/errors.ts'
import { readJson } from '../../client/http.ts'
import type { ResetPasswordBody } from '../../shared/reset-password.ts'
import type { SignInMethods } from '../../shared/sign-in-methods.ts'
import type { SignOnStarted, StartSignOnBody } from '../../shared/single-sign-on.ts'
import type { SignedIn, SignInBody, SignUpBody, User } from '../../shared/user.ts'
import { get, post } from './viewer-requests.ts'

export const fetchSignInMethods = () => get<SignInMethods>('/auth/methods')

export const signIn = (body: SignInBody) => beginSession('sign-in', body)
export const signUp = (body: SignUpBody) => beginSession('sign-up', body)

async function beginSession(action: 'sign-in' | 'sign-up', body: object): Promise<User> {
  const { user } = await readJson<SignedIn>(await post(`/auth/${action}/email`, body))
  return user
}

/** Returns the address of the provider's page. Whoever has an account needs no invite, so one that has ended is left out. */
export async function startSignOn({ invite, ...body }: StartSignOnBody): Promise<string> {
  const start = async (sent: StartSignOnBody) =>
    (await readJson<SignOnStarted>(await post('/auth/oidc/start', sent))).url
  if (invite === undefined) return start(body)
  return start({ ...body, invite }).catch(error => {
    if (error instanceof NotFoundError) return start(body)
    throw error
  })
}

/** Connects the person who came from the provider to the account of the session. */
export const linkSignOn = () => post('/auth/oidc/link', {})

export const resetPassword = (body: ResetPasswordBody) => post('/auth/reset-password', body)

// Signs in or creates an account, and returns to the page that asked for it. Shows only the ways that work here.
import { A, useLocation, useNavigate, useSearchParams } from '@solidjs/router'
import { type JSX, Show } from 'solid-js'
import { ChannelFeedError, ServerError } from '../../client/errors.ts'
import { PASSWORD_MIN } from '../../shared/limits.ts'
import { JOIN_PATH, readInvite } from '../data/kept-invite.ts'
import { useSession } from '../data/session.tsx'
import { fetchSignInMethods, linkSignOn, signIn, signUp } from '../data/sign-in-requests.ts'
import { fetchUser } from '../data/viewer-requests.ts'
import { entryPath, returnPath } from '../lib/return-path.ts'
import { Door } from '../shell/door.tsx'
import { OrElse, SignOnButton, SignOnProblem, signOnReturn } from '../shell/sign-on.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { createForm, Form, FormField } from '../ui/form.tsx'
import { createLoad, Loaded } from '../ui/load.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

/** `link`: the password connects the person who just came from the provider. */
type Purpose = 'sign-in' | 'sign-up' | 'link'

const TITLES: Record<Purpose, string> = {
  'sign-in': 'Sign in',
  'sign-up': 'Create an account',
  link: 'Connect your account',
}

export default function SignInPage({ isNew = false }: { isNew?: boolean }): JSX.Element {
  const [search] = useSearchParams<{ return?: string; error?: string; link?: string }>()
  const { load, again } = createLoad(fetchSignInMethods)
  const purpose = (): Purpose => (isNew ? 'sign-up' : search.link ? 'link' : 'sign-in')
  const back = () => returnPath(search.return ?? (search.error || search.link ? signOnReturn() : undefined))
  /** Lets somebody create an account where sign-ups are closed. */
  const invite = () => (back() === JOIN_PATH ? (readInvite() ?? undefined) : undefined)
  createDocumentTitle(() => TITLES[purpose()])

  return (
    <Door
      title={purpose() === 'sign-in' ? 'Sign in to Channel Feed' : TITLES[purpose()]}
      about={purpose() === 'link' ? ABOUT_LINKING : location.host}
    >
      <SignOnProblem error={search.error} />
      <Loaded load={load()} again={again} waiting={<Skeletons label="Loading" count={2} height="4rem" />}>
        {methods => {
          const takesPassword = () => methods().password || purpose() === 'link'
          return (
            <>
              <Show when={purpose() !== 'link' && methods().oidc}>
                {oidc => (
                  <>
                    <SignOnButton
                      name={oidc().name}
                      back={back()}
                      invite={invite()}
                      only={!takesPassword()}
                    />
                    <Show when={takesPassword()}>
                      <OrElse />
                    </Show>
                  </>
                )}
              </Show>
              <Show when={takesPassword()}>
                <PasswordForm purpose={purpose()} back={back()} invite={invite()} />
              </Show>
              <OtherWay
                purpose={purpose()}
                back={back()}
                signUp={methods().password && (methods().sign_up === 'open' || invite() !== undefined)}
              />
            </>
          )
        }}
      </Loaded>
    </Door>
  )
}

const ABOUT_LINKING =
  'Your e-mail address has an account here already. Sign in with its password once to connect single sign-on.'

const BUTTONS: Record<Purpose, { submit: string; busy: string }> = {
  'sign-in': { submit: 'Sign in', busy: 'Signing in…' },
  'sign-up': { submit: 'Create account', busy: 'Creating…' },
  link: { submit: 'Sign in and connect', busy: 'Connecting…' },
}

function PasswordForm(props: { purpose: Purpose; back: string; invite: string | undefined }): JSX.Element {
  const navigate = useNavigate()
  /** `email`: of the only account that may use an invite. */
  const { state } = useLocation<{ email?: string }>()
  const { enter } = useSession()
  const isNew = () => props.purpose === 'sign-up'

  const form = createForm(
    async ({ email = '', password = '', name = '' }) => {
      const { purpose, back, invite } = props
      const work = { 'sign-in': signIn, 'sign-up': signUp, link: signInAndLink }[purpose]
      const user = await work({ email, password, name, invite })
      // If the server doesn't answer now, the session's own check repeats.
      if ((await fetchUser().catch(() => user)) === null) throw explainLostSession()
      await enter(user)
      navigate(back, { replace: true, state: { joined: purpose === 'sign-up' && invite !== undefined } })
    },
    props.purpose === 'sign-up' ? 'email' : 'password',
  )

  return (
    <Form form={form} {...BUTTONS[props.purpose]}>
      <Show when={isNew()}>
        <FormField
          form={form}
          name="name"
          label="Name"
          autocomplete="name"
          hint="Shown next to your decisions."
        />
      </Show>
      <FormField
        form={form}
        name="email"
        label="E-mail"
        type="email"
        autocomplete="username"
        value={state?.email}
      />
      <FormField
        form={form}
        name="password"
        label="Password"
        type="password"
        autocomplete={isNew() ? 'new-password' : 'current-password'}
        hint={isNew() ? `At least ${PASSWORD_MIN} characters` : undefined}
      />
    </Form>
  )
}

async function signInAndLink(body: Parameters<typeof signIn>[0]) {
  try {
    const user = await signIn(body)
    await linkSignOn()
    return user
  } catch (error) {
    // Where passwords are turned off, only that of the account to connect is taken.
    const isOther = error instanceof ChannelFeedError && OTHER_ACCOUNT.includes(error.code ?? '')
    throw isOther ? new ServerError(null, USE_SAME_ADDRESS) : error
  }
}

const OTHER_ACCOUNT = ['sign_on_not_yours', 'password_sign_in_off', 'sign_on_ended']
const USE_SAME_ADDRESS =
  'Use the account with the e-mail address of your provider. After ten minutes, start single sign-on again.'

/** Leads from each page to the other, and back from connecting. */
function OtherWay(props: { purpose: Purpose; back: string; signUp: boolean }): JSX.Element {
  const { state } = useLocation()
  return (
    <Show when={props.purpose !== 'sign-in' || props.signUp}>
      <p class="quiet">
        {{ 'sign-in': 'New here?', 'sign-up': 'Already have an account?', link: 'Not you?' }[props.purpose]}{' '}
        <A
          href={entryPath(props.purpose === 'sign-in' ? '/sign-up' : '/sign-in', props.back)}
          state={state ?? undefined}
        >
          {
            { 'sign-in': 'Create an account', 'sign-up': 'Sign in', link: 'Sign in another way' }[
              props.purpose
            ]
          }
        </A>
      </p>
    </Show>
  )
}

/** With an https `PUBLIC_URL` the session's cookie is only for https, and a page that came over http doesn't keep it. */
function explainLostSession(): ServerError {
  const isPlain = location.protocol === 'http:'
  const about = isPlain
    ? `Your browser stays signed in only over https. Open https://${location.host} instead.`
    : 'Your browser didn’t keep the session. Allow cookies for this page, then sign in again.'
  return new ServerError(null, about)
}

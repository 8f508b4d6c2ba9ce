// Signs in or creates an account, and returns to the page that asked for it.
import { A, useLocation, useNavigate, useSearchParams } from '@solidjs/router'
import { type JSX, Show } from 'solid-js'
import { ServerError } from '../../client/errors.ts'
import { PASSWORD_MIN } from '../../shared/limits.ts'
import { JOIN_PATH, readInvite } from '../data/kept-invite.ts'
import { useSession } from '../data/session.tsx'
import { fetchUser, signIn, signUp } from '../data/viewer-requests.ts'
import { returnPath } from '../lib/return-path.ts'
import { Door } from '../shell/door.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { createForm, Form, FormField } from '../ui/form.tsx'

export default function SignInPage({ isNew = false }: { isNew?: boolean }): JSX.Element {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  /** `email`: of the only account that may use an invite. */
  const { state } = useLocation<{ email?: string }>()
  const { enter } = useSession()
  const title = isNew ? 'Create an account' : 'Sign in'
  createDocumentTitle(() => title)

  const form = createForm(
    async ({ email = '', password = '', name = '' }) => {
      const path = returnPath(search.return)
      const invite = path === JOIN_PATH ? (readInvite() ?? undefined) : undefined
      const user = isNew ? await signUp({ email, password, name, invite }) : await signIn({ email, password })
      // If the server doesn't answer now, the session's own check repeats.
      if ((await fetchUser().catch(() => user)) === null) throw explainLostSession()
      await enter(user)
      navigate(path, { replace: true, state: { joined: isNew && invite !== undefined } })
    },
    isNew ? 'email' : 'password',
  )

  return (
    <Door title={isNew ? title : 'Sign in to Channel Feed'} about={location.host}>
      <Form
        form={form}
        submit={isNew ? 'Create account' : 'Sign in'}
        busy={isNew ? 'Creating…' : 'Signing in…'}
      >
        <Show when={isNew}>
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
          autocomplete={isNew ? 'new-password' : 'current-password'}
          hint={isNew ? `At least ${PASSWORD_MIN} characters` : undefined}
        />
      </Form>
      <p class="quiet">
        {isNew ? 'Already have an account?' : 'New here?'}{' '}
        <A href={(isNew ? '/sign-in' : '/sign-up') + location.search} state={state ?? undefined}>
          {isNew ? 'Sign in' : 'Create an account'}
        </A>
      </p>
    </Door>
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

// Creates an account, and goes back to where one came from.
import { A, useNavigate, useSearchParams } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { RateLimitError } from '../../client/errors.ts'
import { PASSWORD_MIN } from '../../shared/limits.ts'
import { signUp } from '../data/client.ts'
import { useSession } from '../data/session.tsx'
import { returnPath } from '../lib/return-path.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { createForm, Form, FormField } from '../ui/form.tsx'

/** Throws the refusal, in words that say what to do. */
function explain(failure: unknown): never {
  if (!(failure instanceof RateLimitError)) throw failure
  const minutes = Math.ceil((failure.retry_after ?? 60) / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  throw new RateLimitError(429, `Too many sign-ups from your network. Try again in ${wait}.`)
}

export default function SignUpPage(): JSX.Element {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { enter } = useSession()
  createDocumentTitle(() => 'Create an account')

  const form = createForm(async ({ email = '', password = '', name = '' }) => {
    await enter(await signUp({ email, password, name }).catch(explain))
    navigate(returnPath(search.return), { replace: true })
  }, 'email')

  return (
    <>
      <TopBar />
      <main class="page page-narrow">
        <h1>Create an account</h1>
        <Form form={form} submit="Create account" busy="Creating…">
          <FormField form={form} name="name" label="Name" type="text" autocomplete="name" />
          <FormField form={form} name="email" label="E-mail" type="email" autocomplete="username" />
          <FormField
            form={form}
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            hint={`At least ${PASSWORD_MIN} characters`}
          />
        </Form>
        <p class="quiet">
          Have one already? <A href={`/sign-in${location.search}`}>Sign in</A>
        </p>
      </main>
    </>
  )
}

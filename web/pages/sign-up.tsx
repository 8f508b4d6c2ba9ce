// Creates an account, and returns to the page that asked for it.
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

function explainLimit(error: unknown): never {
  if (!(error instanceof RateLimitError)) throw error
  const minutes = Math.ceil((error.retry_after ?? 60) / 60)
  const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
  throw new RateLimitError(429, `Too many sign-ups from your network. Try again in ${wait}.`)
}

export default function SignUpPage(): JSX.Element {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { enter } = useSession()
  createDocumentTitle(() => 'Create an account')

  const form = createForm(async ({ email = '', password = '', name = '' }) => {
    await enter(await signUp({ email, password, name }).catch(explainLimit))
    navigate(returnPath(search.return), { replace: true })
  }, 'email')

  return (
    <>
      <TopBar />
      <main class="page page-narrow">
        <h1>Create an account</h1>
        <Form form={form} submit="Create account" busy="Creating…">
          <FormField form={form} name="name" label="Name" autocomplete="name" />
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
          Already have an account? <A href={`/sign-in${location.search}`}>Sign in</A>
        </p>
      </main>
    </>
  )
}

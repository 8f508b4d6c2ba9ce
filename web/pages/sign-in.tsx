// Signs in, and returns to the page that asked for it.
import { A, useNavigate, useSearchParams } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { signIn } from '../data/client.ts'
import { useSession } from '../data/session.tsx'
import { returnPath } from '../lib/return-path.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { createForm, Form, FormField } from '../ui/form.tsx'

export default function SignInPage(): JSX.Element {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const { enter } = useSession()
  createDocumentTitle(() => 'Sign in')

  const form = createForm(async ({ email = '', password = '' }) => {
    await enter(await signIn({ email, password }))
    navigate(returnPath(search.return), { replace: true })
  }, 'password')

  return (
    <>
      <TopBar />
      <main class="page page-narrow">
        <h1>Sign in</h1>
        <Form form={form} submit="Sign in" busy="Signing in…">
          <FormField form={form} name="email" label="E-mail" type="email" autocomplete="username" />
          <FormField
            form={form}
            name="password"
            label="Password"
            type="password"
            autocomplete="current-password"
          />
        </Form>
        <p class="quiet">
          No account yet? <A href={`/sign-up${location.search}`}>Create one</A>
        </p>
      </main>
    </>
  )
}

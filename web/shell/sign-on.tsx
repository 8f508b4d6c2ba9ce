// Single sign-on: the button that leads to the provider, and what the sign-in page says when somebody came back without
// success.
import { type JSX, Show } from 'solid-js'
import { URL_MAX } from '../../shared/limits.ts'
import type { SignOnError } from '../../shared/single-sign-on.ts'
import { startSignOn } from '../data/sign-in-requests.ts'
import { tabStorage } from '../lib/text-storage.ts'
import { Banner } from '../ui/banner.tsx'
import { createForm, Form } from '../ui/form.tsx'
import { IconWarning } from '../ui/icons.tsx'
import './sign-on.css'

const KEY = 'sign-on-return'

const WORDS: Record<SignOnError, string> = {
  oidc_denied: 'You cancelled at your provider. Try again when you’re ready.',
  oidc_failed: 'Single sign-on didn’t work. Try again, or ask the owner of this service.',
  oidc_email: 'Your provider doesn’t confirm your e-mail address. Confirm it there, then try again.',
  oidc_sign_up: 'You have no account here, and new accounts are closed. Ask for an invite.',
}

const isKnown = (error: string): error is SignOnError => Object.hasOwn(WORDS, error)

/** The path that the last sign-on of this tab was to return to. The provider sends nobody back with it after a failure. */
export const signOnReturn = () => tabStorage.read(KEY) ?? undefined

/** `back`: the path to return to. `invite`: a token that allows a new account. `only`: there is no other way to sign in. */
export function SignOnButton(props: {
  name: string
  back: string
  invite?: string
  only?: boolean
}): JSX.Element {
  const form = createForm(async () => {
    tabStorage.write(KEY, props.back)
    const return_to = props.back.length > URL_MAX ? '/' : props.back
    location.assign(await startSignOn({ return_to, invite: props.invite }))
  }, null)
  return (
    <Form
      form={form}
      submit={`Continue with ${props.name}`}
      busy="Opening…"
      look={props.only ? 'primary' : 'secondary'}
    />
  )
}

/** Between the button and the form with a password. */
export const OrElse = (): JSX.Element => <p class="or-else quiet">or</p>

/** `error`: from the address of the page. */
export function SignOnProblem(props: { error: string | undefined }): JSX.Element {
  const words = () => (props.error !== undefined && isKnown(props.error) ? WORDS[props.error] : undefined)
  return (
    <Show when={words()}>
      {words => (
        <div role="alert">
          <Banner status="error" icon={<IconWarning />}>
            {words()}
          </Banner>
        </div>
      )}
    </Show>
  )
}

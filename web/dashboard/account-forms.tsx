// The name and the password of whoever is signed in.
import type { JSX } from 'solid-js'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../shared/limits.ts'
import type { User } from '../../shared/user.ts'
import { patchAccount } from '../data/checked-requests.ts'
import { useSession } from '../data/session.tsx'
import { createForm, Form, FormField } from '../ui/form.tsx'
import { Section } from './page.tsx'

export function AccountName(props: { user: User }): JSX.Element {
  const { enter } = useSession()
  const form = createForm(async ({ name = '' }) => {
    await enter(await patchAccount({ name }))
  }, 'name')
  return (
    <Section
      title="You"
      about="Channel owners see your name only if you act by name, and never your e-mail address."
    >
      <dl class="fact">
        <dt>E-mail</dt>
        <dd>{props.user.email}</dd>
      </dl>
      <Form form={form} submit="Save" busy="Saving…" done="Saved">
        <FormField
          form={form}
          name="name"
          label="Name"
          type="text"
          autocomplete="name"
          value={props.user.name}
        />
      </Form>
    </Section>
  )
}

export type AccountPasswordProps = {
  user: User
  /** The other sessions have ended. */
  onChanged: () => void
}

export function AccountPassword(props: AccountPasswordProps): JSX.Element {
  let box: HTMLDivElement | undefined
  const form = createForm(async ({ current_password = '', new_password = '' }) => {
    await patchAccount({ current_password, new_password })
    box?.querySelector('form')?.reset()
    props.onChanged()
  }, 'current_password')
  return (
    <Section
      title="Password"
      about="A new one signs you out everywhere else. API keys go on working: they are revoked on their own page."
    >
      <div ref={box}>
        <Form
          form={form}
          submit="Change password"
          busy="Changing…"
          done="Changed. You are signed out everywhere else."
        >
          {/* So that a password manager knows whose password it is. */}
          <input type="text" autocomplete="username" value={props.user.email} readonly hidden />
          <FormField
            form={form}
            name="current_password"
            label="Current password"
            type="password"
            autocomplete="current-password"
          />
          <FormField
            form={form}
            name="new_password"
            label="New password"
            type="password"
            autocomplete="new-password"
            hint={`${PASSWORD_MIN} to ${PASSWORD_MAX} characters`}
          />
        </Form>
      </div>
    </Section>
  )
}

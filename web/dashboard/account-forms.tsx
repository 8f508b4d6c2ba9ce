// The signed-in user's name and password.
import type { JSX } from 'solid-js'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../shared/limits.ts'
import type { User } from '../data/requests.ts'
import { useSession } from '../data/session.tsx'
import { createForm, Form, FormField } from '../ui/form.tsx'
import { patchAccount } from './api.ts'
import { Section } from './section.tsx'

export function AccountName(props: { user: User }): JSX.Element {
  const { enter } = useSession()
  const form = createForm(async ({ name = '' }) => {
    await enter(await patchAccount({ name }))
  }, 'name')
  return (
    <Section
      title="You"
      about="Channel owners see your name only if you act by name. They never see your e-mail address."
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
  /** The change has ended the other sessions. */
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
      about="A new password signs you out everywhere else. API keys keep working until you revoke them."
    >
      <div ref={box}>
        <Form
          form={form}
          submit="Change password"
          busy="Changing…"
          done="Password changed. You are signed out everywhere else."
        >
          {/* Tells password managers whose password it is. */}
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

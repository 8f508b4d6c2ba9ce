// The signed-in user's account: name, password and sessions.
import { type JSX, Show } from 'solid-js'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../shared/limits.ts'
import { patchAccountBody, type User } from '../../shared/user.ts'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { Section } from '../dashboard/section.tsx'
import { SessionList } from '../dashboard/session-list.tsx'
import { joinForm } from '../dashboard/settings-drafts.tsx'
import { SettingsSections } from '../dashboard/settings-sections.tsx'
import { check, patchAccount } from '../data/checked-requests.ts'
import { fetchSessions } from '../data/owner-requests.ts'
import { useSession } from '../data/session.tsx'
import { SessionCheck } from '../shell/session-check.tsx'
import { createSignOut } from '../shell/sign-out.ts'
import { Button } from '../ui/button.tsx'
import { Reason } from '../ui/choice.tsx'
import { Cancel, FormDialog } from '../ui/dialog.tsx'
import { createForm, Form, FormField } from '../ui/form.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { Skeletons } from '../ui/skeletons.tsx'
import { showToast } from '../ui/toast.tsx'

export function AccountPage(): JSX.Element {
  const { user } = useSession()
  const { load, again, set } = createFreshLoad(fetchSessions)
  const { signOut, failed } = createSignOut()

  /** A new password ends all sessions but this one. */
  function onPasswordChanged(): void {
    const now = load()
    if (now.state === 'ready') set(now.value.filter(({ current }) => current))
  }

  return (
    <DashboardPage title="Account" actions={<Button onClick={signOut}>Sign out here</Button>}>
      <Reason
        reason={failed() ? 'You’re still signed in. Check your connection and try again.' : undefined}
      />
      <Show when={user()} fallback={<SessionCheck fallback={<Skeletons label="Loading your account" />} />}>
        {user => (
          <SettingsSections>
            <AccountName user={user()} />
            <AccountPassword user={user()} onChanged={onPasswordChanged} />
            <Section
              title="Sessions"
              about="A session ends 30 days after its last use. Its private pages close when it ends."
            >
              <Loaded load={load()} again={again}>
                {sessions => <SessionList sessions={sessions()} onChange={set} />}
              </Loaded>
            </Section>
          </SettingsSections>
        )}
      </Show>
    </DashboardPage>
  )
}

function AccountName(props: { user: User }): JSX.Element {
  const { enter } = useSession()
  const form = createForm(
    async ({ name = '' }) => {
      if (name !== props.user.name) await enter(await patchAccount({ name }))
    },
    'name',
    ({ name }) => check(patchAccountBody, { name }),
  )
  joinForm(form)
  return (
    <Section
      title="You"
      about="Your name appears next to what you press, unless you act without a name. Your e-mail address doesn’t."
    >
      <dl class="fact">
        <dt>E-mail</dt>
        <dd>{props.user.email}</dd>
      </dl>
      <FormField form={form} name="name" label="Name" autocomplete="name" value={props.user.name} />
    </Section>
  )
}

function AccountPassword(props: { user: User; onChanged: () => void }): JSX.Element {
  return (
    <Section
      title="Password"
      about="A new password signs you out everywhere else. API keys keep working until you revoke them."
    >
      <div class="line">
        <FormDialog open="Change password…" button="button button-secondary" title="Change password">
          {close => <PasswordForm {...props} close={close} />}
        </FormDialog>
      </div>
    </Section>
  )
}

function PasswordForm(props: { user: User; onChanged: () => void; close: () => void }): JSX.Element {
  const form = createForm(async ({ current_password = '', new_password = '' }) => {
    await patchAccount({ current_password, new_password })
    props.onChanged()
    props.close()
    showToast({ words: 'Password changed. You are signed out everywhere else.' })
  }, 'current_password')
  return (
    <Form form={form} submit="Change password" busy="Changing…" aside={<Cancel close={props.close} />}>
      {/* Password managers read the account's name here. */}
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
  )
}

// The signed-in user's account: name, password and sessions.
import { type JSX, Show } from 'solid-js'
import { AccountName, AccountPassword } from '../dashboard/account-forms.tsx'
import { fetchSessions } from '../dashboard/api.ts'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { Section } from '../dashboard/section.tsx'
import { SessionList } from '../dashboard/session-list.tsx'
import { useSession } from '../data/session.tsx'
import { Away } from '../shell/away.tsx'
import { createSignOut } from '../shell/sign-out.ts'
import { Reason } from '../ui/choice.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'

export function AccountPage(): JSX.Element {
  const { session } = useSession()
  const { load, again, set } = createFreshLoad(fetchSessions)
  const { signOut, failed } = createSignOut()
  const user = () => {
    const now = session()
    return now.state === 'signed-in' ? now.user : undefined
  }

  /** A new password ends all sessions but this one. */
  function onPasswordChanged(): void {
    const now = load()
    if (now.state === 'ready') set(now.value.filter(({ current }) => current))
  }

  return (
    <DashboardPage
      title="Account"
      actions={
        <button type="button" class="button button-secondary" onClick={signOut}>
          Sign out here
        </button>
      }
    >
      <Reason
        reason={failed() ? 'You are not signed out. Check your connection and try again.' : undefined}
      />
      <Show when={user()} fallback={<Away fallback={<p class="quiet">Loading…</p>} />}>
        {user => (
          <>
            <AccountName user={user()} />
            <AccountPassword user={user()} onChanged={onPasswordChanged} />
            <Section
              title="Where you are signed in"
              about="A session ends 30 days after its last use. Its private pages close when it ends."
            >
              <Loaded load={load()} again={again}>
                {sessions => <SessionList sessions={sessions()} onChange={set} />}
              </Loaded>
            </Section>
          </>
        )}
      </Show>
    </DashboardPage>
  )
}

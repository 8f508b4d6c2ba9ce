// The account of whoever is signed in: name, password, and where it is signed in.
import { type JSX, Show } from 'solid-js'
import { AccountName, AccountPassword } from '../dashboard/account-forms.tsx'
import { DashboardPage, Section } from '../dashboard/page.tsx'
import { SessionList } from '../dashboard/session-list.tsx'
import { fetchSessions } from '../data/owner-client.ts'
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

  /** Known without asking: this one is left. */
  function onOthersEnded(): void {
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
      <Reason reason={failed() ? 'You are not signed out: the server cannot be reached.' : undefined} />
      <Show when={user()} fallback={<Away fallback={<p class="quiet">Loading…</p>} />}>
        {user => (
          <>
            <AccountName user={user()} />
            <AccountPassword user={user()} onChanged={onOthersEnded} />
            <Section
              title="Where you are signed in"
              about="A session ends by itself 30 days after its last use. Private pages that are open in one close when it ends."
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

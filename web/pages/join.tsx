// Where an invite's link leads: who invited to what, and the button that joins. Nothing happens before a person presses it.
import { A } from '@solidjs/router'
import { type JSX, Match, Show, Switch } from 'solid-js'
import type { InvitePreview } from '../../shared/member.ts'
import { JOIN_PATH } from '../data/kept-invite.ts'
import { useSession } from '../data/session.tsx'
import { formatDate } from '../lib/format.ts'
import { entryPath, signInPath } from '../lib/return-path.ts'
import { ROLE_ABOUT, ROLE_NAMES } from '../lib/role-words.ts'
import { Door } from '../shell/door.tsx'
import { createJoining, type Joining } from '../shell/joining.ts'
import { createSignOut } from '../shell/sign-out.ts'
import { Button } from '../ui/button.tsx'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { Reason } from '../ui/choice.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { Skeletons } from '../ui/skeletons.tsx'
import './join.css'

export default function JoinPage(): JSX.Element {
  const joining = createJoining()
  const title = () => titleOf(joining)
  createDocumentTitle(title)
  return (
    <Door title={title()} about={<About of={joining} />}>
      <div class="join stack" aria-busy={joining.state() === 'loading'}>
        <Switch>
          <Match when={joining.state() === 'loading'}>
            <Skeletons label="Loading the invite" />
          </Match>
          <Match when={joining.state() === 'unreachable'}>
            <Button class="button button-primary" onClick={joining.again}>
              Try again
            </Button>
          </Match>
          <Match when={joining.state() === 'ended'}>
            <Ended />
          </Match>
          <Match when={joining.invite()}>{invite => <Ways of={joining} invite={invite()} />}</Match>
        </Switch>
      </div>
    </Door>
  )
}

function titleOf({ state, invite }: Joining): string {
  switch (state()) {
    case 'loading':
      return 'Your invite'
    case 'unreachable':
      return 'The invite can’t be loaded'
    case 'ended':
      return 'This invite is no longer valid'
    case 'wrong-account':
      return 'This invite is for another account'
    case 'open':
      return `Join ${invite()?.workspace.name}`
  }
}

function About(props: { of: Joining }): JSX.Element {
  const { user } = useSession()
  const isIn = (state: ReturnType<Joining['state']>) => props.of.state() === state
  return (
    <Switch fallback="One moment…">
      <Match when={isIn('unreachable')}>{props.of.trouble()}</Match>
      <Match when={isIn('ended')}>It was used, it expired, or it was revoked. Ask for a new link.</Match>
      <Match when={isIn('wrong-account') && props.of.invite()}>
        {invite => (
          <>
            It’s for <b>{invite().email}</b>. You’re signed in as <b>{user()?.email}</b>.
          </>
        )}
      </Match>
      <Match when={isIn('open') && props.of.invite()}>
        {invite => (
          <>
            <bdi>{invite().invited_by.name}</bdi> invited you.
          </>
        )}
      </Match>
    </Switch>
  )
}

/** An invite for one person ends when it is used, and still opens the workspace for that person. */
function Ended(): JSX.Element {
  const { session } = useSession()
  return (
    <>
      <A class="button button-secondary" href="/">
        Go home
      </A>
      <Show when={session().state === 'signed-out'}>
        <p class="quiet">
          Did you use it before? <A href={signInPath(JOIN_PATH)}>Sign in</A> to open the workspace.
        </p>
      </Show>
    </>
  )
}

/** What the person can do with a valid invite. */
function Ways(props: { of: Joining; invite: InvitePreview }): JSX.Element {
  const { user } = useSession()
  const { signOut, failed } = createSignOut(JOIN_PATH)
  const isOpen = () => props.of.state() === 'open'
  return (
    <>
      <Show when={isOpen()}>
        <RoleFacts of={props.invite} />
      </Show>
      <Reason reason={failed() ? 'You’re still signed in. Check your connection.' : props.of.trouble()} />
      <Switch fallback={<Button onClick={signOut}>Sign out and switch accounts</Button>}>
        <Match when={user() === undefined}>
          <SignInWays email={props.invite.email} />
        </Match>
        <Match when={isOpen() && user()}>
          {user => (
            <>
              <Button
                class="button button-primary"
                aria-disabled={props.of.busy() ? 'true' : undefined}
                onClick={props.of.join}
              >
                {props.of.busy() ? 'Joining…' : `Join as ${ROLE_NAMES[props.invite.role]}`}
              </Button>
              <p class="quiet">
                You’re signed in as <bdi>{user().name}</bdi> ({user().email}).
              </p>
              <Button class="button button-plain" onClick={signOut}>
                Switch accounts
              </Button>
            </>
          )}
        </Match>
      </Switch>
    </>
  )
}

function RoleFacts(props: { of: InvitePreview }): JSX.Element {
  return (
    <section class="join-facts box across" aria-label="Your role">
      <ChannelIcon icon={props.of.workspace.icon} />
      <div class="fill">
        <b>{ROLE_NAMES[props.of.role]}</b>
        <p class="quiet">{ROLE_ABOUT[props.of.role]}</p>
        <p class="hint">Valid until {formatDate(props.of.expires_at)}</p>
      </div>
    </section>
  )
}

/** `email`: of the only account that may use the invite. */
function SignInWays(props: { email: string | null }): JSX.Element {
  const state = () => ({ email: props.email ?? undefined })
  return (
    <>
      <A class="button button-primary" href={entryPath('/sign-up', JOIN_PATH)} state={state()}>
        Create an account
      </A>
      <A class="button button-secondary" href={signInPath(JOIN_PATH)} state={state()}>
        Sign in
      </A>
      <Show when={props.email}>
        {email => (
          <p class="quiet">
            This invite is for <b>{email()}</b>.
          </p>
        )}
      </Show>
    </>
  )
}

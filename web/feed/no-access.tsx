// Explains why a channel can't be opened, and what the viewer can do.
import { A, useLocation } from '@solidjs/router'
import { type JSX, Match, Switch } from 'solid-js'
import type { Refusal } from '../lib/reconnect.ts'
import { signInPath } from '../lib/return-path.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { IconLock, IconSearch } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { UnlockForm } from './unlock-form.tsx'

const TITLES: Record<Refusal, string> = {
  'signed-out': 'This channel is private',
  forbidden: 'You do not have access to this channel',
  missing: 'There is no such channel',
  password: 'This channel asks for a password',
}

export type NoAccessProps = { refusal: Refusal; channelId: string; onAccess: () => void }

/** A whole page. */
export function NoAccessPage(props: NoAccessProps): JSX.Element {
  createDocumentTitle(() => TITLES[props.refusal])
  return (
    <>
      <TopBar />
      <main class="page">
        <NoAccess {...props} />
      </main>
    </>
  )
}

export function NoAccess(props: NoAccessProps): JSX.Element {
  const location = useLocation()
  return (
    <Notice title={TITLES[props.refusal]} icon={props.refusal === 'missing' ? <IconSearch /> : <IconLock />}>
      <Switch>
        <Match when={props.refusal === 'signed-out'}>
          <p>Sign in with the account that owns it to see its cards.</p>
          <A class="button button-primary" href={signInPath(location.pathname + location.search)}>
            Sign in
          </A>
        </Match>
        <Match when={props.refusal === 'forbidden'}>
          <p>Ask its owner to make it public or to share its password.</p>
          <HomeLink />
        </Match>
        <Match when={props.refusal === 'missing'}>
          <p>It may have been deleted, or the link is incomplete.</p>
          <HomeLink />
        </Match>
        <Match when={props.refusal === 'password'}>
          <p>Ask the person who shared it with you.</p>
          <UnlockForm what={{ channel_id: props.channelId }} onUnlocked={props.onAccess} />
        </Match>
      </Switch>
    </Notice>
  )
}

function HomeLink(): JSX.Element {
  return (
    <A class="button button-secondary" href="/">
      Go home
    </A>
  )
}

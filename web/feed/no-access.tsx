// Explains why a channel can't be opened, and what the viewer can do.
import { A, useLocation } from '@solidjs/router'
import { Match, Switch } from 'solid-js'
import type { Refusal } from '../lib/reconnect.ts'
import { signInPath } from '../lib/return-path.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { IconLock, IconSearch } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { UnlockForm } from './unlock-form.tsx'

const TEXTS: Record<Refusal, { title: string; advice: string }> = {
  'signed-out': {
    title: 'This channel is private',
    advice: 'Sign in with the account that owns it to see its cards.',
  },
  forbidden: {
    title: 'You do not have access to this channel',
    advice: 'Ask its owner to make it public or to share its password.',
  },
  missing: {
    title: 'There is no such channel',
    advice: 'It may have been deleted, or the link is incomplete.',
  },
  password: {
    title: 'This channel asks for a password',
    advice: 'Ask the person who shared it with you.',
  },
}

type NoAccessProps = { refusal: Refusal; channelId: string; onAccess: () => void }

export function NoAccessPage(props: NoAccessProps) {
  createDocumentTitle(() => TEXTS[props.refusal].title)
  return (
    <>
      <TopBar />
      <main class="page">
        <NoAccess {...props} />
      </main>
    </>
  )
}

export function NoAccess(props: NoAccessProps) {
  const location = useLocation()
  const texts = () => TEXTS[props.refusal]
  return (
    <Notice title={texts().title} icon={props.refusal === 'missing' ? <IconSearch /> : <IconLock />}>
      <p>{texts().advice}</p>
      <Switch
        fallback={
          <A class="button button-secondary" href="/">
            Go home
          </A>
        }
      >
        <Match when={props.refusal === 'signed-out'}>
          <A class="button button-primary" href={signInPath(location.pathname + location.search)}>
            Sign in
          </A>
        </Match>
        <Match when={props.refusal === 'password'}>
          <UnlockForm what={{ channel_id: props.channelId }} onUnlocked={props.onAccess} />
        </Match>
      </Switch>
    </Notice>
  )
}

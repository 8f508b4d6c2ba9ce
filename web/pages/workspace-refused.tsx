// Why a workspace can't be opened, and what to do about it.
import { A, useLocation } from '@solidjs/router'
import { type JSX, Match, Switch } from 'solid-js'
import { UnlockForm } from '../feed/unlock-form.tsx'
import type { Refusal } from '../lib/reconnect.ts'
import { signInPath } from '../lib/return-path.ts'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { IconLock, IconSearch } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'

const TEXT: Record<Refusal, [title: string, advice: string]> = {
  'signed-out': ['This workspace is private', 'Sign in with the account that owns it to see its channels.'],
  forbidden: [
    'You do not have access to this workspace',
    'Ask its owner to make it public or to share its password.',
  ],
  missing: ['There is no such workspace', 'It may have been deleted, or the link is incomplete.'],
  password: ['This workspace asks for a password', 'Ask the person who shared it with you.'],
}

export function WorkspaceRefused(props: {
  refusal: Refusal
  slug: string
  onAccess: () => void
}): JSX.Element {
  const location = useLocation()
  const title = () => TEXT[props.refusal][0]
  createDocumentTitle(title)
  return (
    <>
      <TopBar />
      <main class="page">
        <Notice title={title()} icon={props.refusal === 'missing' ? <IconSearch /> : <IconLock />}>
          <p>{TEXT[props.refusal][1]}</p>
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
              <UnlockForm what={{ slug: props.slug }} onUnlocked={props.onAccess} />
            </Match>
          </Switch>
        </Notice>
      </main>
    </>
  )
}

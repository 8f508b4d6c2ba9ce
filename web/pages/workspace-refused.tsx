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

const TITLES: Record<Refusal, string> = {
  'signed-out': 'This workspace is private',
  forbidden: 'You do not have access to this workspace',
  missing: 'There is no such workspace',
  password: 'This workspace asks for a password',
}

export function WorkspaceRefused(props: {
  refusal: Refusal
  slug: string
  onAccess: () => void
}): JSX.Element {
  const location = useLocation()
  createDocumentTitle(() => TITLES[props.refusal])
  return (
    <>
      <TopBar />
      <main class="page">
        <Notice
          title={TITLES[props.refusal]}
          icon={props.refusal === 'missing' ? <IconSearch /> : <IconLock />}
        >
          <Switch>
            <Match when={props.refusal === 'signed-out'}>
              <p>Sign in with the account that owns it to see its channels.</p>
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
              <UnlockForm what={{ slug: props.slug }} onUnlocked={props.onAccess} />
            </Match>
          </Switch>
        </Notice>
      </main>
    </>
  )
}

function HomeLink(): JSX.Element {
  return (
    <A class="button button-secondary" href="/">
      Go home
    </A>
  )
}

// Explains why a channel or workspace can't be opened, and what the viewer can do.
import { A, useLocation } from '@solidjs/router'
import { Match, Show, Switch } from 'solid-js'
import { useSession } from '../data/session.tsx'
import { unlock } from '../data/viewer-requests.ts'
import type { Refusal } from '../lib/reconnect.ts'
import { signInPath } from '../lib/return-path.ts'
import { Door } from '../shell/door.tsx'
import { TopBar } from '../shell/top-bar.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { createForm, Form, FormField } from '../ui/form.tsx'
import { IconLock, IconSearch } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'

type NoAccessProps = { refusal: Refusal; to: Parameters<typeof unlock>[0]; onAccess: () => void }

function textsFor({ refusal, to }: NoAccessProps): [title: string, advice: string] {
  const [kind, Kind, content] =
    'slug' in to ? ['workspace', 'Workspace', 'channels'] : ['channel', 'Channel', 'cards']
  const texts: Record<Refusal, [string, string]> = {
    'signed-out': [
      `This ${kind} is private`,
      `Sign in with an account that has access to see its ${content}.`,
    ],
    forbidden: [`You don’t have access to this ${kind}`, 'Ask its owner to invite you.'],
    missing: [`${Kind} not found`, 'It may have been deleted, or the link is incomplete.'],
    password: [`This ${kind} needs a password`, 'Ask the person who shared it with you.'],
  }
  return texts[refusal]
}

export function NoAccessPage(props: NoAccessProps) {
  createDocumentTitle(() => textsFor(props)[0])
  return (
    <Show
      when={props.refusal === 'password'}
      fallback={
        <>
          <TopBar />
          <main class="page">
            <NoAccess {...props} />
          </main>
        </>
      }
    >
      <Door title={textsFor(props)[0]} about={location.host}>
        <UnlockForm {...props} />
        <MembersWay />
      </Door>
    </Show>
  )
}

/** People with a role need no password. */
function MembersWay() {
  const { session } = useSession()
  const place = useLocation()
  return (
    <Show when={session().state === 'signed-out'}>
      <p class="quiet">
        Are you in this workspace? <A href={signInPath(place.pathname + place.search)}>Sign in</A> instead.
      </p>
    </Show>
  )
}

export function NoAccess(props: NoAccessProps) {
  const location = useLocation()
  return (
    <Notice title={textsFor(props)[0]} icon={props.refusal === 'missing' ? <IconSearch /> : <IconLock />}>
      <p>{textsFor(props)[1]}</p>
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
          <UnlockForm {...props} />
        </Match>
      </Switch>
    </Notice>
  )
}

function UnlockForm(props: NoAccessProps) {
  const form = createForm(async values => {
    await unlock(props.to, values.password ?? '')
    props.onAccess()
  }, 'password')
  return (
    <Form form={form} submit={'slug' in props.to ? 'Open workspace' : 'Open channel'} busy="Opening…">
      <FormField
        form={form}
        name="password"
        label="Password"
        type="password"
        autocomplete="off"
        hint="Anyone with the password can open it."
      />
    </Form>
  )
}

// Sets a new password with the token of a link. It signs in nobody.
import { A } from '@solidjs/router'
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../shared/limits.ts'
import { resetPassword } from '../data/sign-in-requests.ts'
import { listen } from '../lib/listen.ts'
import { createOffline } from '../lib/offline.ts'
import { takeFragment } from '../lib/take-fragment.ts'
import { Door } from '../shell/door.tsx'
import { Banner } from '../ui/banner.tsx'
import { createDocumentTitle } from '../ui/document-title.ts'
import { createForm, Form, FormField } from '../ui/form.tsx'
import { IconCloudOff } from '../ui/icons.tsx'
import { focusMain } from '../ui/page-announcement.tsx'

type Stage = 'choose' | 'done' | 'void'

const TEXTS: Record<Stage, { title: string; about: string }> = {
  choose: {
    title: 'Choose a new password',
    about: 'It signs you out on all devices. API keys keep working.',
  },
  done: {
    title: 'Password changed',
    about: 'You are signed out on all devices. API keys keep working.',
  },
  void: {
    title: 'This link is no longer valid',
    about:
      'A link works once, within an hour, until there is a newer one. Ask the owner of this service for another.',
  },
}

export default function ResetPasswordPage(props: { token: string }): JSX.Element {
  const [token, setToken] = createSignal(props.token)
  const [stage, setStage] = createSignal<Stage>(token() === '' ? 'void' : 'choose')
  const texts = () => TEXTS[stage()]
  createDocumentTitle(() => texts().title)

  // Another link that is opened in this tab loads no new page.
  listen(window, 'hashchange', () => {
    const next = takeFragment()
    if (next === '') return
    setToken(next)
    setStage('choose')
  })

  function goTo(next: Stage): void {
    setStage(next)
    // The form disappears and would lose the focus.
    focusMain()
  }

  return (
    <Door title={texts().title} about={texts().about}>
      <Switch fallback={<SignInLink />}>
        <Match when={stage() === 'choose'}>
          <OfflineNote />
          <NewPasswordForm token={token()} goTo={goTo} />
        </Match>
      </Switch>
    </Door>
  )
}

function NewPasswordForm(props: { token: string; goTo: (next: Stage) => void }): JSX.Element {
  const form = createForm(async ({ password = '' }) => {
    try {
      await resetPassword({ token: props.token, password })
      props.goTo('done')
    } catch (error) {
      if (!(error instanceof ChannelFeedError && error.code === 'reset_link_not_found')) throw error
      props.goTo('void')
    }
  }, 'password')
  return (
    <Form form={form} submit="Change password" busy="Changing…">
      <FormField
        form={form}
        name="password"
        label="New password"
        type="password"
        autocomplete="new-password"
        hint={`${PASSWORD_MIN} to ${PASSWORD_MAX} characters`}
      />
    </Form>
  )
}

const SignInLink = (): JSX.Element => (
  <div class="line">
    <A class="button button-primary" href="/sign-in">
      Sign in
    </A>
  </div>
)

function OfflineNote(): JSX.Element {
  const offline = createOffline()
  return (
    <div role="status">
      <Show when={offline()}>
        <Banner status="warning" icon={<IconCloudOff />}>
          <strong>You are offline.</strong> Reconnect to change your password.
        </Banner>
      </Show>
    </div>
  )
}

// The user's sessions: browser, last use, and the buttons that end them.
import { createSignal, type JSX, Match, Show, Switch } from 'solid-js'
import type { ListedSession } from '../../shared/session.ts'
import { endOtherSessions, endSession } from '../data/owner-requests.ts'
import { countOf, formatMinute } from '../lib/format.ts'
import { readAgent } from '../lib/user-agent.ts'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { IconSystem } from '../ui/icons.tsx'
import { IconPhone } from '../ui/page-icons.tsx'
import { TimeAgo } from '../ui/time-ago.tsx'
import { RowList } from './row-list.tsx'
import './session-list.css'

/** The server records the last use once an hour at most. */
const USE_PRECISION_MS = 3_600_000
const RELATIVE_MS = 7 * 24 * 3_600_000

export function SessionList(props: {
  sessions: ListedSession[]
  onChange: (sessions: ListedSession[]) => void
}): JSX.Element {
  let list: HTMLUListElement | undefined
  const [message, setMessage] = createSignal('')
  const own = () => props.sessions.filter(({ current }) => current)
  const others = () => props.sessions.filter(({ current }) => !current)

  function onEnded(remaining: ListedSession[], message: string): void {
    props.onChange(remaining)
    setMessage(message)
    // The button that had the focus is gone.
    queueMicrotask(() => list?.focus())
  }

  async function end(session: ListedSession): Promise<void> {
    await endSession(session.id)
    const remaining = props.sessions.filter(({ id }) => id !== session.id)
    onEnded(remaining, `${readAgent(session.user_agent).name} is signed out.`)
  }

  async function endOthers(): Promise<void> {
    const { ended } = await endOtherSessions()
    onEnded(own(), `${countOf(ended, 'session is', 'sessions are')} signed out.`)
  }

  return (
    <>
      <RowList label="Sessions" each={[...own(), ...others()]} ref={list}>
        {session => <SessionRow session={session()} onEnd={() => end(session())} />}
      </RowList>
      <div class="form-end">
        <Show when={others().length > 0}>
          <ConfirmDialog
            open="Sign out everywhere else"
            button="button button-secondary"
            title="Sign out everywhere else?"
            about={`${countOf(others().length, 'other session ends', 'other sessions end')} now. This one stays.`}
            confirm="Sign out everywhere else"
            busy="Signing out…"
            onConfirm={endOthers}
          />
        </Show>
        <span class="form-done" role="status">
          {message()}
        </span>
      </div>
    </>
  )
}

function SessionRow(props: { session: ListedSession; onEnd: () => Promise<void> }): JSX.Element {
  const agent = () => readAgent(props.session.user_agent)
  const usedAt = () => props.session.last_used_at
  const ago = () => Date.now() - Date.parse(usedAt())
  return (
    <li class="row session-row">
      <span class="quiet">{agent().handheld ? <IconPhone /> : <IconSystem />}</span>
      <span class="session-text stack">
        <span class="session-name item-name" title={props.session.user_agent ?? undefined}>
          {agent().name}
          <Show when={props.session.current}>
            {' '}
            <span class="tag">This session</span>
          </Show>
        </span>
        <span class="session-times line quiet">
          <span>
            <Switch fallback={`Used ${formatMinute(usedAt())}`}>
              <Match when={props.session.current}>In use now</Match>
              <Match when={ago() < USE_PRECISION_MS}>Used within the last hour</Match>
              <Match when={ago() < RELATIVE_MS}>
                <TimeAgo iso={usedAt()} prefix="Used " />{' '}
                <span class="session-date">({formatMinute(usedAt())})</span>
              </Match>
            </Switch>
          </span>
          <span>Signed in {formatMinute(props.session.created_at)}</span>
        </span>
      </span>
      <Show when={!props.session.current}>
        <ConfirmDialog
          open="Sign out"
          label={`Sign out ${agent().name}`}
          button="button button-secondary button-small"
          title={`Sign out ${agent().name}?`}
          about="That browser has to sign in again."
          confirm="Sign out"
          busy="Signing out…"
          onConfirm={props.onEnd}
        />
      </Show>
    </li>
  )
}

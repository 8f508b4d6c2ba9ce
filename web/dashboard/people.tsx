// The people of a workspace and its open invites. Each change is made at once.
import { useNavigate } from '@solidjs/router'
import { createSignal, type JSX, Show } from 'solid-js'
import { ChannelFeedError, NotFoundError } from '../../client/errors.ts'
import type { CreatedInvite, Invite, Member } from '../../shared/member.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { fetchInvites, fetchMembers } from '../data/owner-requests.ts'
import { errorText } from '../lib/error-text.ts'
import { Button } from '../ui/button.tsx'
import { Reason } from '../ui/choice.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { Notice } from '../ui/notice.tsx'
import { focusMain } from '../ui/page-announcement.tsx'
import { CreateInvite, InviteList } from './invites.tsx'
import { leaveWorkspace } from './leave-workspace.ts'
import { MemberRow } from './member-row.tsx'
import { RowList } from './row-list.tsx'
import { Secret } from './secret.tsx'
import { DELETED } from './settings-drafts.tsx'
import './people.css'

type People = { members: Member[]; invites: Invite[] }

/** `onTransferred`: the person is an editor now. */
export default function PeopleList(props: {
  workspace: ListedWorkspace
  onTransferred: () => void
}): JSX.Element {
  const navigate = useNavigate()
  const people = createFreshLoad(() => fetchPeople(props.workspace.id))
  const [created, setCreated] = createSignal<CreatedInvite>()
  const [message, setMessage] = createSignal('')
  const [reason, setReason] = createSignal<string>()
  let list: HTMLUListElement | undefined

  /** `change` resolves to what happened, or to null if nothing did. */
  async function run(change: () => Promise<string | null>): Promise<void> {
    setReason(undefined)
    setMessage('')
    try {
      const words = await change()
      if (words === null) return
      people.set(await fetchPeople(props.workspace.id))
      setMessage(words)
      keepFocus(list)
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      setReason(errorText(error))
      // Somebody else changed the same people.
      if (error instanceof NotFoundError) await people.again()
    }
  }

  async function leave(): Promise<void> {
    if (await leaveWorkspace(props.workspace)) navigate('/', { replace: true, state: DELETED })
  }

  function add(invite: CreatedInvite, { members, invites }: People): void {
    setCreated(invite)
    setMessage('')
    people.set({ members, invites: [...invites, invite] })
  }

  function onEnded(id: string, { members, invites }: People): void {
    if (created()?.id === id) setCreated(undefined)
    people.set({ members, invites: invites.filter(invite => invite.id !== id) })
    setMessage('The link no longer works.')
    keepFocus(list)
  }

  const isAlone = ({ members, invites }: People) => members.length + invites.length === 1
  return (
    <Loaded load={people.load()} again={people.again}>
      {loaded => (
        <>
          <Show when={!isAlone(loaded())} fallback={<Alone workspace={props.workspace} />}>
            <RowList label="People" each={loaded().members.map(withId)} ref={list}>
              {member => (
                <MemberRow
                  workspace={props.workspace}
                  member={member()}
                  run={run}
                  onLeave={leave}
                  onTransferred={props.onTransferred}
                />
              )}
            </RowList>
          </Show>
          <Show when={loaded().invites.length > 0}>
            <InviteList
              workspace={props.workspace}
              invites={loaded().invites}
              onEnded={id => onEnded(id, loaded())}
            />
          </Show>
          <div role="status" aria-live="polite">
            <Show when={created()}>
              {created => <NewLink invite={created()} onDone={() => setCreated(undefined)} />}
            </Show>
          </div>
          <div class="form-end">
            <CreateInvite workspace={props.workspace} onCreated={invite => add(invite, loaded())} />
            <span class="form-done" role="status">
              {message()}
            </span>
          </div>
          <Reason reason={reason()} />
        </>
      )}
    </Loaded>
  )
}

async function fetchPeople(workspaceId: string): Promise<People> {
  const [members, invites] = await Promise.all([fetchMembers(workspaceId), fetchInvites(workspaceId)])
  return { members, invites }
}

const withId = (member: Member) => ({ ...member, id: member.user_id })

function Alone(props: { workspace: ListedWorkspace }): JSX.Element {
  const title = () =>
    props.workspace.visibility === 'private' ? 'Only you can see this workspace' : 'Only you have a role here'
  return (
    <Notice title={title()} heading="h3">
      <p>Create a link and send it to the people who should join.</p>
    </Notice>
  )
}

function NewLink(props: { invite: CreatedInvite; onDone: () => void }): JSX.Element {
  return (
    <section class="new-link stack" aria-label="The new link">
      <h3>
        {props.invite.mailed ? `Sent to ${props.invite.email}. ` : 'Link created. '}
        Copy it now; you won’t see it again.
      </h3>
      <Secret text={props.invite.url} name="the link" primary>
        <Button onClick={() => props.onDone()}>Done</Button>
      </Secret>
    </section>
  )
}

/** The button that had the focus may be gone, and after the last person so is the list. */
function keepFocus(list: HTMLElement | undefined): void {
  queueMicrotask(() => {
    if (document.activeElement !== document.body) return
    if (list?.isConnected) list.focus()
    else focusMain()
  })
}

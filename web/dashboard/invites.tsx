// The open invites of a workspace, and the dialog that creates the link of another one.
import { createSignal, type JSX, Show } from 'solid-js'
import { INVITE_DAYS_DEFAULT } from '../../shared/limits.ts'
import type { CreatedInvite, Invite } from '../../shared/member.ts'
import { MEMBER_ROLES, mayManage, memberRole } from '../../shared/role.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { createInvite } from '../data/checked-requests.ts'
import { endInvite } from '../data/owner-requests.ts'
import { useSession } from '../data/session.tsx'
import { countOf, formatDate } from '../lib/format.ts'
import { ROLE_ABOUT, ROLE_NAMES } from '../lib/role-words.ts'
import { RadioField, SelectField } from '../ui/choice.tsx'
import { Cancel, ConfirmDialog, FormDialog } from '../ui/dialog.tsx'
import { createForm, Form, FormField } from '../ui/form.tsx'
import { IconLink } from '../ui/page-icons.tsx'
import { RowList } from './row-list.tsx'

type Props = { workspace: ListedWorkspace }

export function InviteList(props: Props & { invites: Invite[]; onEnded: (id: string) => void }): JSX.Element {
  const { user } = useSession()
  const mayEnd = ({ role, created_by }: Invite) =>
    mayManage(props.workspace.role, role) || created_by.id === user()?.id

  async function end(id: string): Promise<void> {
    await endInvite(props.workspace.id, id)
    props.onEnded(id)
  }

  return (
    <>
      <h3>Open invites</h3>
      <RowList label="Open invites" each={props.invites}>
        {invite => (
          <li class="row person-row">
            <span class="quiet">
              <IconLink />
            </span>
            <span class="person-words stack">
              <span class="item-name">{nameOf(invite())}</span>
              <span class="quiet">
                {countOf(invite().uses_left, 'use', 'uses')} left · Until {formatDate(invite().expires_at)} ·
                By <bdi>{invite().created_by.name}</bdi>
              </span>
            </span>
            <Show when={mayEnd(invite())}>
              <ConfirmDialog
                open="Revoke"
                label={`Revoke: ${nameOf(invite())}`}
                button="button button-secondary button-small"
                title="Revoke this invite?"
                about="Its link stops working. People who joined with it stay."
                confirm="Revoke invite"
                busy="Revoking…"
                onConfirm={() => end(invite().id)}
              />
            </Show>
          </li>
        )}
      </RowList>
    </>
  )
}

const nameOf = ({ role, email }: Invite) => `${ROLE_NAMES[role]}, for ${email ?? 'anyone with the link'}`

export function CreateInvite(props: Props & { onCreated: (invite: CreatedInvite) => void }): JSX.Element {
  return (
    <FormDialog
      open="Create link"
      button="button button-secondary"
      title="Create an invite link"
      about="Anyone who has the link can join, until it is used up or expires."
    >
      {close => <CreateInviteForm {...props} close={close} />}
    </FormDialog>
  )
}

const USES = [1, 5, 10, 25, 100].map(count => ({
  value: String(count),
  label: count === 1 ? 'One person' : `${count} people`,
}))
const DAYS = [1, INVITE_DAYS_DEFAULT, 14, 30].map(count => ({
  value: String(count),
  label: countOf(count, 'day', 'days'),
}))

function CreateInviteForm(
  props: Props & { onCreated: (invite: CreatedInvite) => void; close: () => void },
): JSX.Element {
  const [email, setEmail] = createSignal('')
  const isForOne = () => email().trim() !== ''
  const form = createForm(async values => {
    const invite = await createInvite(props.workspace.id, {
      role: memberRole.parse(values.role),
      email: isForOne() ? email() : null,
      uses: isForOne() ? 1 : Number(values.uses),
      expires_in_days: Number(values.expires_in_days),
    })
    props.close()
    props.onCreated(invite)
  }, 'email')
  const roles = () =>
    MEMBER_ROLES.filter(role => mayManage(props.workspace.role, role)).map(value => ({
      value,
      label: ROLE_NAMES[value],
      about: ROLE_ABOUT[value],
    }))
  return (
    <Form form={form} submit="Create link" busy="Creating…" aside={<Cancel close={props.close} />}>
      <RadioField form={form} name="role" label="Role" value="member" options={roles()} />
      <div onInput={({ target }) => target instanceof HTMLInputElement && setEmail(target.value)}>
        <FormField
          form={form}
          name="email"
          label="E-mail (optional)"
          type="email"
          optional
          hint="Then only this account can use the link, once."
        />
      </div>
      <Show when={!isForOne()}>
        <SelectField form={form} name="uses" label="For" value="1" options={USES} />
      </Show>
      <SelectField
        form={form}
        name="expires_in_days"
        label="Valid for"
        value={String(INVITE_DAYS_DEFAULT)}
        options={DAYS}
      />
    </Form>
  )
}

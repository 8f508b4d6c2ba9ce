// A person of a workspace: name, address and role. Who may change the role has a menu.
import { type JSX, Match, Show, Switch } from 'solid-js'
import type { Member } from '../../shared/member.ts'
import { MEMBER_ROLES, mayManage } from '../../shared/role.ts'
import type { ListedWorkspace } from '../../shared/workspace.ts'
import { useSession } from '../data/session.tsx'
import { initialsOf } from '../lib/initials.ts'
import { ROLE_NAMES } from '../lib/role-words.ts'
import { SmallButton } from '../ui/button.tsx'
import { IconCheck } from '../ui/icons.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { IconChevron, IconTrash } from '../ui/page-icons.tsx'
import { giveRole, removePerson, transferTo } from './person-changes.ts'
import '../ui/avatar.css'

type Props = {
  workspace: ListedWorkspace
  member: Member
  run: (change: () => Promise<string | null>) => Promise<void>
  onLeave: () => void
  onTransferred: () => void
}

export function MemberRow(props: Props): JSX.Element {
  const { user } = useSession()
  const isMe = () => props.member.user_id === user()?.id
  return (
    <li class="row person-row">
      <span class="avatar" classList={{ 'avatar-me': isMe() }} aria-hidden="true">
        {initialsOf(props.member.name)}
      </span>
      <span class="person-words stack">
        <span class="item-name">
          <bdi>{props.member.name}</bdi>
          <Show when={isMe()}>
            {' '}
            <span class="tag">You</span>
          </Show>
        </span>
        <span class="quiet cut">{props.member.email}</span>
      </span>
      <span class="person-role line">
        <Switch fallback={<span class="quiet">{ROLE_NAMES[props.member.role]}</span>}>
          <Match when={isMe() && props.member.role !== 'owner'}>
            <span class="quiet">{ROLE_NAMES[props.member.role]}</span>
            <SmallButton onClick={() => props.onLeave()}>Leave…</SmallButton>
          </Match>
          <Match when={mayManage(props.workspace.role, props.member.role)}>
            <RoleMenu {...props} />
          </Match>
        </Switch>
      </span>
    </li>
  )
}

function RoleMenu(props: Props): JSX.Element {
  const roleItem = (role: (typeof MEMBER_ROLES)[number]): MenuItem => ({
    name: ROLE_NAMES[role],
    current: role === props.member.role,
    icon: role === props.member.role ? <IconCheck /> : <NoIcon />,
    does: {
      run: () => {
        if (role !== props.member.role) props.run(() => giveRole(props.workspace, props.member, role))
      },
    },
  })

  async function transfer(): Promise<string | null> {
    const words = await transferTo(props.workspace, props.member)
    if (words !== null) props.onTransferred()
    return words
  }

  const items = (): MenuItem[] => [
    ...(props.workspace.role === 'owner'
      ? [{ name: 'Owner…', icon: <NoIcon />, does: { run: () => void props.run(transfer) } }]
      : []),
    ...MEMBER_ROLES.filter(role => mayManage(props.workspace.role, role)).map(roleItem),
    {
      name: 'Remove…',
      icon: <IconTrash />,
      danger: true,
      apart: true,
      does: { run: () => void props.run(() => removePerson(props.workspace, props.member)) },
    },
  ]
  return (
    <MenuButton
      class="button button-secondary button-small role-button"
      label={`${ROLE_NAMES[props.member.role]}, role of ${props.member.name}`}
      icon={
        <>
          {ROLE_NAMES[props.member.role]}
          <IconChevron />
        </>
      }
      items={items()}
    />
  )
}

const NoIcon = () => <span class="menu-no-icon" />

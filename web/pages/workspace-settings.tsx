// The settings of one workspace.
import { A } from '@solidjs/router'
import { type JSX, lazy, Show, Suspense } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import { type ListedWorkspace, listedWorkspace, patchWorkspaceBody } from '../../shared/workspace.ts'
import { NameAndIcon } from '../dashboard/general-fields.tsx'
import { Section } from '../dashboard/section.tsx'
import { joinForm } from '../dashboard/settings-drafts.tsx'
import { DeleteSection, SettingsPage, type WorkspaceProps } from '../dashboard/settings-page.tsx'
import { SettingsSections } from '../dashboard/settings-sections.tsx'
import { WorkspaceAccessFields } from '../dashboard/workspace-access.tsx'
import { WorkspaceAddress } from '../dashboard/workspace-address.tsx'
import { WorkspaceAttributes } from '../dashboard/workspace-attributes.tsx'
import { WorkspaceChannels } from '../dashboard/workspace-channels.tsx'
import { WorkspaceLayout } from '../dashboard/workspace-layout.tsx'
import { check, patchWorkspace } from '../data/checked-requests.ts'
import { canRun, deleteWorkspace, fetchAttributeSettings, fetchWorkspace } from '../data/owner-requests.ts'
import { changedFields } from '../lib/form-values.ts'
import { createPick } from '../ui/choice.tsx'
import { createForm } from '../ui/form.tsx'
import { IconLock } from '../ui/icons.tsx'
import { createFreshLoad, type Loading } from '../ui/load.tsx'
import { Notice } from '../ui/notice.tsx'
import { Skeletons } from '../ui/skeletons.tsx'

const PeopleList = lazy(() => import('../dashboard/people.tsx'))

export function WorkspaceSettingsPage(props: { id: string }): JSX.Element {
  // The layout previews use them too.
  const settings = createFreshLoad(() => fetchAttributeSettings(props.id))
  return (
    <SettingsPage
      kind="Workspace"
      read={() => fetchWorkspace(props.id)}
      actions={workspace => (
        <A class="button button-secondary" href={`/w/${workspace().slug}`}>
          Open workspace
        </A>
      )}
    >
      {(workspace, set) => (
        <Show when={canRun(workspace())} fallback={<NoSettings />}>
          <SettingsSections>
            <Sections workspace={workspace()} settings={settings} onChange={set} />
          </SettingsSections>
        </Show>
      )}
    </SettingsPage>
  )
}

/** For members and viewers. */
const NoSettings = () => (
  <Notice title="Only the owner and editors can change this workspace" heading="h2" icon={<IconLock />} />
)

function Sections(props: WorkspaceProps & { settings: Loading<AttributeSetting[]> }): JSX.Element {
  const changed = (values: Record<string, string>) => readChanges(values, props.workspace)
  const isOwner = () => props.workspace.role === 'owner'
  const form = createForm(
    async values => {
      const body = changed(values)
      if (body) props.onChange(await patchWorkspace(props.workspace.id, body))
    },
    'name',
    values => check(patchWorkspaceBody, changed(values) ?? {}),
  )
  const [visibility, setVisibility] = createPick(
    form,
    'visibility',
    'Visibility',
    () => props.workspace.visibility,
  )
  // Labels and filters that must not be seen are gone before more people see the workspace.
  joinForm(form, () => visibility() !== 'private')

  /** The settings of owners disappear. */
  function onTransferred(): void {
    setVisibility(props.workspace.visibility)
    props.onChange({ ...props.workspace, role: 'editor' })
  }

  return (
    <>
      <Section title="General" about="The address stays the same when the name changes.">
        <NameAndIcon form={form} name={props.workspace.name} icon={props.workspace.icon} />
      </Section>
      <WorkspaceChannels workspace={props.workspace} />
      <Section title="People" about="A role holds for all channels of the workspace. Changes apply at once.">
        <Suspense fallback={<Skeletons label="Loading people" />}>
          <PeopleList workspace={props.workspace} onTransferred={onTransferred} />
        </Suspense>
      </Section>
      <Show when={isOwner()}>
        <WorkspaceAccessFields
          form={form}
          saved={props.workspace.visibility}
          picked={visibility()}
          onPick={setVisibility}
        />
      </Show>
      <WorkspaceAddress workspace={props.workspace} form={form} />
      <WorkspaceLayout workspace={props.workspace} form={form} settings={props.settings.load()} />
      <WorkspaceAttributes workspaceId={props.workspace.id} settings={props.settings} />
      <Show when={isOwner()}>
        <DeleteSection
          kind="workspace"
          name={props.workspace.name}
          about="With all its channels, cards and logs. This can’t be undone."
          details="This also deletes its channels with their cards, attributes and logs, for everyone. API keys limited to it stop working. It can’t be undone."
          onDelete={() => deleteWorkspace(props.workspace.id)}
        />
      </Show>
    </>
  )
}

const fields = listedWorkspace.shape

function readChanges(values: Record<string, string>, saved: ListedWorkspace) {
  const { name = '', icon = '', custom_slug = '', password = '' } = values
  const slug = custom_slug.trim()
  const changed = changedFields(
    {
      name,
      icon,
      visibility: fields.visibility.parse(values.visibility),
      layout: fields.layout.parse(values.layout),
      show_search: values.show_search === 'on',
      custom_slug: slug === '' ? null : slug,
    },
    saved,
  )
  return password === '' ? changed : { ...changed, password }
}

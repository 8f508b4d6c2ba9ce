// A workspace's name and icon, and how its page looks.
import { For, type JSX } from 'solid-js'
import { LAYOUTS } from '../../shared/workspace.ts'
import { createForm, Form, FormField } from '../shell/form.tsx'
import { type OwnWorkspace, patchWorkspace } from './api.ts'
import { EmojiField, Radios, Reason, Switch } from './choice.tsx'
import { CopyButton } from './copy.tsx'
import { createOptimistic } from './deed.ts'
import { Section } from './page.tsx'

export type WorkspacePartProps = { workspace: OwnWorkspace; onChange: (workspace: OwnWorkspace) => void }

type Layout = OwnWorkspace['layout']

const LAYOUT_WORDS: Record<Layout, [string, string]> = {
  list: ['List', 'The channels below each other'],
  sidebar: ['Sidebar', 'The channels on the left, one feed beside them'],
  tabs: ['Tabs', 'A tab for each channel'],
  grid: ['Grid', 'Previews of the channels side by side'],
}
const LAYOUT_OPTIONS = LAYOUTS.map(value => {
  const [label, about] = LAYOUT_WORDS[value]
  return { value, label, about }
})

export function WorkspaceGeneral(props: WorkspacePartProps): JSX.Element {
  const form = createForm(async ({ name = '', icon = '' }) => {
    props.onChange(await patchWorkspace(props.workspace.id, { name, icon }))
  }, 'name')
  return (
    <Section title="General" about="The address stays the same when the name changes.">
      <Form form={form} submit="Save" busy="Saving…" done="Saved">
        <FormField
          form={form}
          name="name"
          label="Name"
          type="text"
          autocomplete="off"
          value={props.workspace.name}
        />
        <EmojiField form={form} name="icon" label="Icon" value={props.workspace.icon} />
      </Form>
    </Section>
  )
}

export function WorkspaceLook(props: WorkspacePartProps): JSX.Element {
  const { change, reason } = createOptimistic(() => props.workspace, props.onChange)

  function set(fields: Partial<Pick<OwnWorkspace, 'layout' | 'show_search'>>): void {
    change({ ...props.workspace, ...fields }, () => patchWorkspace(props.workspace.id, fields))
  }

  return (
    <Section title="Layout" about="How the workspace's own page shows its channels. Saved as you choose.">
      <Radios
        legend="Channels are shown as"
        name="layout"
        value={props.workspace.layout}
        options={LAYOUT_OPTIONS}
        onPick={picked => {
          const layout = LAYOUTS.find(name => name === picked)
          if (layout) set({ layout })
        }}
      />
      <Switch
        label="Search"
        about="Whether the page has a field to search its channels."
        on={props.workspace.show_search}
        onChange={show_search => set({ show_search })}
      />
      <Reason reason={reason()} />
    </Section>
  )
}

export function WorkspaceAddress(props: WorkspacePartProps): JSX.Element {
  const addresses = () => {
    const { slug, custom_slug } = props.workspace
    const own = custom_slug === null ? [] : [`${location.origin}/w/by-slug/${custom_slug}`]
    return [`${location.origin}/w/${slug}`, ...own]
  }
  const form = createForm(async ({ custom_slug = '' }) => {
    const slug = custom_slug.trim()
    props.onChange(await patchWorkspace(props.workspace.id, { custom_slug: slug === '' ? null : slug }))
  }, 'custom_slug')
  return (
    <Section title="Address" about="Where the workspace is found. A slug of your own is unique among all.">
      <ul class="rows">
        <For each={addresses()}>
          {address => (
            <li class="row">
              <code class="row-address">{address}</code>
              <CopyButton text={address} what={address} />
            </li>
          )}
        </For>
      </ul>
      <Form form={form} submit="Save" busy="Saving…" done="Saved">
        <FormField
          form={form}
          name="custom_slug"
          label="Custom slug"
          type="text"
          autocomplete="off"
          value={props.workspace.custom_slug ?? ''}
          hint="3-48 lowercase letters, digits or hyphens. Empty: none."
          optional
        />
      </Form>
    </Section>
  )
}

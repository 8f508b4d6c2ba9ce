// Where a workspace is found: its generated slug, and one of its own that is checked while it is typed.
import { For, type JSX } from 'solid-js'
import { patchWorkspace } from '../data/checked-requests.ts'
import { checkSlug } from '../data/owner-client.ts'
import { CopyButton } from '../ui/copy.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { Section } from './page.tsx'
import { SettingsForm } from './settings-form.tsx'
import { addressOf, createSlugCheck, SlugVerdict } from './slug-check.tsx'
import type { WorkspacePartProps } from './workspace-general.tsx'

export function WorkspaceAddress(props: WorkspacePartProps): JSX.Element {
  const addresses = () => {
    const { slug, custom_slug } = props.workspace
    const own = custom_slug === null ? [] : [addressOf(custom_slug)]
    return [`${location.origin}/w/${slug}`, ...own]
  }
  const form = createForm(async ({ custom_slug = '' }) => {
    const slug = custom_slug.trim()
    props.onChange(await patchWorkspace(props.workspace.id, { custom_slug: slug === '' ? null : slug }))
    check.look(slug)
  }, 'custom_slug')
  const check = createSlugCheck(
    slug => checkSlug(props.workspace.id, slug),
    () => props.workspace.custom_slug,
  )
  let box: HTMLDivElement | undefined

  function onInput(event: InputEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return
    form.clear()
    check.look(event.target.value.trim())
  }

  function take(slug: string): void {
    const input = box?.querySelector('input')
    if (!input) return
    input.value = slug
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    input.focus()
  }

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
      <div ref={box} onInput={onInput}>
        <SettingsForm form={form} what="Address" submit="Save" busy="Saving…" done="Saved">
          <FormField
            form={form}
            name="custom_slug"
            label="Custom slug"
            type="text"
            autocomplete="off"
            value={props.workspace.custom_slug ?? ''}
            hint={<SlugVerdict verdict={check.verdict()} onTake={take} />}
            optional
          />
        </SettingsForm>
      </div>
    </Section>
  )
}

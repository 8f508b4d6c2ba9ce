// The addresses of a workspace: a generated slug, and a custom slug that is checked during typing.
import { For, type JSX } from 'solid-js'
import { patchWorkspace } from '../data/checked-requests.ts'
import { checkSlug } from '../data/owner-client.ts'
import { CopyButton } from '../ui/copy.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { WorkspaceProps } from './settings-page.tsx'
import { addressOf, createSlugCheck, SlugHint } from './slug-check.tsx'

export function WorkspaceAddress(props: WorkspaceProps): JSX.Element {
  const addresses = () => {
    const { slug, custom_slug } = props.workspace
    const custom = custom_slug === null ? [] : [addressOf(custom_slug)]
    return [`${location.origin}/w/${slug}`, ...custom]
  }
  const form = createForm(async ({ custom_slug = '' }) => {
    const slug = custom_slug.trim()
    props.onChange(await patchWorkspace(props.workspace.id, { custom_slug: slug === '' ? null : slug }))
    slugCheck.check(slug)
  }, 'custom_slug')
  const slugCheck = createSlugCheck(
    slug => checkSlug(props.workspace.id, slug),
    () => props.workspace.custom_slug,
  )
  let box: HTMLDivElement | undefined

  function onInput(event: InputEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return
    form.clear()
    slugCheck.check(event.target.value.trim())
  }

  function use(slug: string): void {
    const input = box?.querySelector('input')
    if (!input) return
    input.value = slug
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    input.focus()
  }

  return (
    <Section title="Address" about="Where people find the workspace. A custom slug must be unique.">
      <ul class="rows box">
        <For each={addresses()}>
          {address => (
            <li class="row">
              <code class="fill">{address}</code>
              <CopyButton text={address} what={address} />
            </li>
          )}
        </For>
      </ul>
      <div ref={box} onInput={onInput}>
        <SettingsForm form={form} section="Address">
          <FormField
            form={form}
            name="custom_slug"
            label="Custom slug"
            value={props.workspace.custom_slug ?? ''}
            hint={<SlugHint result={slugCheck.result()} onUse={use} />}
            optional
          />
        </SettingsForm>
      </div>
    </Section>
  )
}

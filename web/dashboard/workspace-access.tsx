// Who may see a workspace and its channels.
import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { VISIBILITIES, type Visibility } from '../../shared/channel.ts'
import { patchWorkspace } from '../data/checked-requests.ts'
import { Radios } from '../ui/choice.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { Section } from './page.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { WorkspacePartProps } from './workspace-general.tsx'

const WORDS: Record<Visibility, [string, string]> = {
  private: ['Only you', 'Signed in as the owner'],
  protected: ['Whoever has the password', 'You, and everybody who enters it'],
  public: ['Everybody', 'Anyone who has the address, without signing in'],
}
const OPTIONS = VISIBILITIES.map(value => {
  const [label, about] = WORDS[value]
  return { value, label, about }
})

export function WorkspaceAccess(props: WorkspacePartProps): JSX.Element {
  const [picked, setPicked] = createSignal(props.workspace.visibility)
  const form = createForm(async ({ password = '' }) => {
    const visibility = picked()
    const given = visibility === 'protected' && password !== '' ? { password } : {}
    props.onChange(await patchWorkspace(props.workspace.id, { visibility, ...given }))
  }, 'password')

  // Set elsewhere: what is picked here and not saved stays.
  createEffect(
    on(
      () => props.workspace.visibility,
      (kept, before) => picked() === before && setPicked(kept),
    ),
  )

  function pick(value: string): void {
    const visibility = VISIBILITIES.find(name => name === value)
    if (!visibility) return
    form.touch()
    setPicked(visibility)
  }

  return (
    <Section
      title="Who may see it"
      about="Holds for all channels of the workspace. Whoever loses access also loses the open page, at once."
    >
      <SettingsForm form={form} what="Who may see it" submit="Save" busy="Saving…" done="Saved">
        <Radios
          legend="Visibility"
          name="visibility"
          value={picked()}
          kept={props.workspace.visibility}
          options={OPTIONS}
          onPick={pick}
        />
        <Show when={picked() === 'protected'}>
          <FormField
            form={form}
            name="password"
            label="Password"
            type="password"
            autocomplete="new-password"
            hint={
              props.workspace.visibility === 'protected'
                ? 'Empty: the present one stays. With a new one, everybody has to enter it again.'
                : '8 to 128 characters. Empty: one that was set before counts again.'
            }
            optional
          />
        </Show>
      </SettingsForm>
    </Section>
  )
}

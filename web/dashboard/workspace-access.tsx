// Who can see a workspace and its channels.
import { createEffect, createSignal, type JSX, on, Show } from 'solid-js'
import { VISIBILITIES, type Visibility, visibility } from '../../shared/channel.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../shared/limits.ts'
import { patchWorkspace } from '../data/checked-requests.ts'
import { Radios } from '../ui/choice.tsx'
import { createForm, FormField } from '../ui/form.tsx'
import { Section } from './section.tsx'
import { SettingsForm } from './settings-form.tsx'
import type { WorkspaceProps } from './settings-page.tsx'

const TEXT: Record<Visibility, { label: string; about: string }> = {
  private: { label: 'Private', about: 'Only you, when you are signed in' },
  protected: { label: 'With password', about: 'Anyone with the password, and you' },
  public: { label: 'Public', about: 'Anyone with the address, without signing in' },
}
const OPTIONS = VISIBILITIES.map(value => ({ value, ...TEXT[value] }))

export function WorkspaceAccessForm(props: WorkspaceProps): JSX.Element {
  const [picked, setPicked] = createSignal(props.workspace.visibility)
  const form = createForm(async ({ password = '' }) => {
    const changed = picked() === 'protected' && password !== '' ? { password } : {}
    props.onChange(await patchWorkspace(props.workspace.id, { visibility: picked(), ...changed }))
  }, 'password')

  // A change elsewhere must not replace an unsaved choice.
  createEffect(
    on(
      () => props.workspace.visibility,
      (saved, before) => picked() === before && setPicked(saved),
    ),
  )

  function pick(value: string): void {
    form.touch()
    setPicked(visibility.parse(value))
  }

  return (
    <Section
      title="Visibility"
      about="Applies to all its channels. Open pages close at once for people who lose access."
    >
      <SettingsForm form={form} section="Visibility">
        <Radios
          legend="Visibility"
          name="visibility"
          value={picked()}
          saved={props.workspace.visibility}
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
                ? 'Leave it empty to keep the password. Everyone must enter a new one.'
                : `${PASSWORD_MIN} to ${PASSWORD_MAX} characters. Leave it empty to use the previous password.`
            }
            optional
          />
        </Show>
      </SettingsForm>
    </Section>
  )
}

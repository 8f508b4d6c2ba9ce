// Who can see a workspace and its channels.
import { type JSX, Show } from 'solid-js'
import { VISIBILITIES, type Visibility, visibility } from '../../shared/channel.ts'
import { PASSWORD_MAX, PASSWORD_MIN } from '../../shared/limits.ts'
import { Radios } from '../ui/choice.tsx'
import { FormField, type FormState } from '../ui/form.tsx'
import { Section } from './section.tsx'

const TEXT: Record<Visibility, { label: string; about: string }> = {
  private: { label: 'Private', about: 'Only you and the people you invite' },
  protected: { label: 'With password', about: 'Anyone with the password, and the people you invite' },
  public: { label: 'Public', about: 'Anyone with the address, without signing in' },
}
const OPTIONS = VISIBILITIES.map(value => ({ value, ...TEXT[value] }))

export function WorkspaceAccessFields(props: {
  form: FormState
  saved: Visibility
  picked: Visibility
  onPick: (picked: Visibility) => void
}): JSX.Element {
  return (
    <Section
      title="Visibility"
      about="Applies to all its channels. Open pages close at once for people who lose access."
    >
      <Radios
        legend="Who can see it"
        name="visibility"
        value={props.picked}
        saved={props.saved}
        options={OPTIONS}
        onPick={value => props.onPick(visibility.parse(value))}
      />
      <Show when={props.picked === 'protected'}>
        <FormField
          form={props.form}
          name="password"
          label="Password"
          type="password"
          autocomplete="new-password"
          hint={
            props.saved === 'protected'
              ? 'Leave it empty to keep the password. Everyone must enter a new one.'
              : `${PASSWORD_MIN} to ${PASSWORD_MAX} characters. Leave it empty to use the previous password.`
          }
          optional
        />
      </Show>
    </Section>
  )
}

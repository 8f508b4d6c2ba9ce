// Which attributes of its channels a workspace's page shows as labels and offers as filters.
import { For, type JSX, Show } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import { putAttributeSetting } from '../data/checked-requests.ts'
import { changedFields } from '../lib/form-values.ts'
import { checkField } from '../ui/choice.tsx'
import { createForm } from '../ui/form.tsx'
import { Loaded, type Loading } from '../ui/load.tsx'
import { byName, createNameFilter } from './name-filter.tsx'
import { Section } from './section.tsx'
import { joinForm } from './settings-drafts.tsx'
import './table.css'

export function WorkspaceAttributes(props: {
  workspaceId: string
  settings: Loading<AttributeSetting[]>
}): JSX.Element {
  return (
    <Section
      title="Attributes"
      about="Filters narrow the list of channels. Labels appear beside a channel’s name."
    >
      <Loaded load={props.settings.load()} again={props.settings.again}>
        {settings => (
          <Show
            when={settings().length > 0}
            fallback={<p class="quiet">No attributes yet. Create them in the settings of a channel.</p>}
          >
            <SettingTable
              workspaceId={props.workspaceId}
              settings={settings()}
              onChange={props.settings.set}
            />
          </Show>
        )}
      </Loaded>
    </Section>
  )
}

type Props = {
  workspaceId: string
  settings: AttributeSetting[]
  onChange: (settings: AttributeSetting[]) => void
}

const CHOICES = [
  ['use_as_filter', (key: string) => `Filter by ${key}`],
  ['show_in_sidebar', (key: string) => `Show ${key} as a label`],
] as const

const fieldOf = (choice: (typeof CHOICES)[number][0], key: string) => `${choice} ${key}`

function SettingTable(props: Props): JSX.Element {
  const keys = () => byName(props.settings.map(({ key }) => key))
  const { isMatch, NameFilter } = createNameFilter(keys, 'Find an attribute')
  const form = createForm(values => saveSettings(props, values), null)
  joinForm(form)
  return (
    <>
      <NameFilter />
      <div class="rows-many box">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Attribute</th>
              <th scope="col">Filter</th>
              <th scope="col">Label</th>
            </tr>
          </thead>
          <tbody>
            <For each={keys()}>
              {key => (
                <Show when={props.settings.find(setting => setting.key === key)}>
                  {setting => (
                    <tr hidden={!isMatch(key)}>
                      <th scope="row">{key}</th>
                      <For each={CHOICES}>
                        {([choice, label]) => (
                          <td>
                            <label class="table-check">
                              <input
                                type="checkbox"
                                name={fieldOf(choice, key)}
                                aria-label={label(key)}
                                ref={checkField(
                                  form,
                                  fieldOf(choice, key),
                                  label(key),
                                  () => setting()[choice],
                                )}
                              />
                            </label>
                          </td>
                        )}
                      </For>
                    </tr>
                  )}
                </Show>
              )}
            </For>
          </tbody>
        </table>
      </div>
    </>
  )
}

/** One after another, so that a failure leaves the rest unsaved. */
async function saveSettings(props: Props, values: Record<string, string>): Promise<void> {
  for (const before of props.settings) {
    const { key } = before
    const isOn = (choice: (typeof CHOICES)[number][0]) => values[fieldOf(choice, key)] === 'on'
    const now = { use_as_filter: isOn('use_as_filter'), show_in_sidebar: isOn('show_in_sidebar') }
    const changed = changedFields(now, before)
    if (!changed) continue
    const saved = await putAttributeSetting(props.workspaceId, { key, ...changed })
    props.onChange(props.settings.map(other => (other.key === key ? saved : other)))
  }
}

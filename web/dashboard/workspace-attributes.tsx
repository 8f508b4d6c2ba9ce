// Which attributes of its channels a workspace's page shows as labels and offers as filters.
import { For, type JSX, Show } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import { putAttributeSetting } from '../data/checked-requests.ts'
import { Reason } from '../ui/choice.tsx'
import { Loaded, type Loading } from '../ui/load.tsx'
import { createOptimistic } from './mutation.ts'
import { createNameFilter } from './name-filter.tsx'
import { Section } from './section.tsx'
import './table.css'

export function WorkspaceAttributes(props: {
  workspaceId: string
  settings: Loading<AttributeSetting[]>
}): JSX.Element {
  return (
    <Section
      title="Attributes"
      about="Filters narrow the list of channels. Labels appear beside a channel’s name. Your choices save at once."
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

function SettingTable(props: {
  workspaceId: string
  settings: AttributeSetting[]
  onChange: (settings: AttributeSetting[]) => void
}): JSX.Element {
  const keys = () => props.settings.map(({ key }) => key)
  const { matches, NameFilter } = createNameFilter(keys, 'Find an attribute')
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
            <For each={matches()}>
              {key => (
                <Show when={props.settings.find(setting => setting.key === key)}>
                  {setting => (
                    <SettingRow
                      workspaceId={props.workspaceId}
                      setting={setting()}
                      onChange={changed =>
                        props.onChange(props.settings.map(other => (other.key === key ? changed : other)))
                      }
                    />
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

function SettingRow(props: {
  workspaceId: string
  setting: AttributeSetting
  onChange: (setting: AttributeSetting) => void
}): JSX.Element {
  const { change, error } = createOptimistic(() => props.setting, props.onChange)
  const { key } = props.setting
  const checkboxes = [
    ['use_as_filter', `Filter by ${key}`],
    ['show_in_sidebar', `Show ${key} as a label`],
  ] as const

  function save(fields: Partial<Omit<AttributeSetting, 'key'>>): void {
    change(
      setting => ({ ...setting, ...fields }),
      () => putAttributeSetting(props.workspaceId, { key, ...fields }),
    )
  }

  return (
    <tr>
      <th scope="row">
        {key}
        <Reason reason={error()} />
      </th>
      <For each={checkboxes}>
        {([field, label]) => (
          <td>
            <label class="table-check">
              <input
                type="checkbox"
                aria-label={label}
                checked={props.setting[field]}
                onChange={event => save({ [field]: event.currentTarget.checked })}
              />
            </label>
          </td>
        )}
      </For>
    </tr>
  )
}

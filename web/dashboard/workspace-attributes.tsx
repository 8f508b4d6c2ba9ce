// What a workspace's page does with the attributes of its channels.
import { For, type JSX, Show } from 'solid-js'
import type { AttributeSetting } from '../../shared/attributes.ts'
import { putAttributeSetting } from '../data/checked-requests.ts'
import { Reason } from '../ui/choice.tsx'
import { Loaded, type Loading } from '../ui/load.tsx'
import { createOptimistic } from './deed.ts'
import { createFinder } from './finder.tsx'
import { Section } from './page.tsx'

export type WorkspaceAttributesProps = { workspaceId: string; settings: Loading<AttributeSetting[]> }

export function WorkspaceAttributes(props: WorkspaceAttributesProps): JSX.Element {
  return (
    <Section
      title="Attributes"
      about="Keys that the channels of this workspace have. A filter shows only channels with one value; a label stands beside a channel’s name. Tabs show neither. Saved as you choose."
    >
      <Loaded load={props.settings.load()} again={props.settings.again}>
        {settings => (
          <Show
            when={settings().length > 0}
            fallback={
              <p class="quiet">No channel here has attributes yet. They are set in a channel’s settings.</p>
            }
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

type TableProps = {
  workspaceId: string
  settings: AttributeSetting[]
  onChange: (settings: AttributeSetting[]) => void
}

function SettingTable(props: TableProps): JSX.Element {
  const { found, Finder } = createFinder(() => props.settings.map(({ key }) => key), 'Find an attribute')
  return (
    <>
      <Finder />
      <div class="rows-many">
        <table class="table">
          <thead>
            <tr>
              <th scope="col">Attribute</th>
              <th scope="col">Filter</th>
              <th scope="col">Label</th>
            </tr>
          </thead>
          <tbody>
            <For each={found()}>
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

type RowProps = {
  workspaceId: string
  setting: AttributeSetting
  onChange: (setting: AttributeSetting) => void
}

function SettingRow(props: RowProps): JSX.Element {
  const { change, reason } = createOptimistic(() => props.setting, props.onChange)

  function set(fields: Partial<Omit<AttributeSetting, 'key'>>): void {
    const { workspaceId } = props
    const { key } = props.setting
    change(
      setting => ({ ...setting, ...fields }),
      () => putAttributeSetting(workspaceId, { key, ...fields }),
    )
  }

  return (
    <tr>
      <th scope="row">
        {props.setting.key}
        <Reason reason={reason()} />
      </th>
      <td>
        <input
          type="checkbox"
          aria-label={`Filter by ${props.setting.key}`}
          checked={props.setting.use_as_filter}
          onChange={event => set({ use_as_filter: event.currentTarget.checked })}
        />
      </td>
      <td>
        <input
          type="checkbox"
          aria-label={`Show ${props.setting.key} as a label`}
          checked={props.setting.show_in_sidebar}
          onChange={event => set({ show_in_sidebar: event.currentTarget.checked })}
        />
      </td>
    </tr>
  )
}

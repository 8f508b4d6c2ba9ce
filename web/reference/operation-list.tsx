// The operations by group: a list of links, or a select on narrow screens.
import { useNavigate } from '@solidjs/router'
import { For, type JSX } from 'solid-js'
import type { Operation, OperationGroup } from './openapi.ts'

type Props = { groups: OperationGroup[]; current: Operation | undefined }

export function OperationList(props: Props): JSX.Element {
  const navigate = useNavigate()
  return (
    <>
      <div class="field ref-choice">
        <label for="ref-choice">Operation</label>
        <select id="ref-choice" onChange={event => navigate(`/docs#${event.currentTarget.value}`)}>
          <option value="" selected={props.current === undefined}>
            Introduction
          </option>
          <For each={props.groups}>
            {group => (
              <optgroup label={group.name}>
                <For each={group.operations}>
                  {operation => (
                    <option value={operation.id} selected={props.current === operation}>
                      {operation.summary}
                    </option>
                  )}
                </For>
              </optgroup>
            )}
          </For>
        </select>
      </div>
      <nav class="ref-nav" aria-label="Operations">
        <a class="ref-link" href="/docs" aria-current={props.current ? undefined : 'true'}>
          Introduction
        </a>
        <For each={props.groups}>
          {group => (
            <>
              <h2>{group.name}</h2>
              <ul>
                <For each={group.operations}>
                  {operation => (
                    <li>
                      <a
                        class="ref-link"
                        href={`/docs#${operation.id}`}
                        aria-current={props.current === operation ? 'true' : undefined}
                      >
                        <span>{operation.summary}</span>
                        <span class="ref-method" aria-hidden="true">
                          {operation.method}
                        </span>
                      </a>
                    </li>
                  )}
                </For>
              </ul>
            </>
          )}
        </For>
      </nav>
    </>
  )
}

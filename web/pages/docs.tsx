// The API reference. It shows one operation at a time, which the fragment of the address names, and needs no session.
import '../dashboard/dashboard.css'
import '../dashboard/parts.css'
import { useLocation } from '@solidjs/router'
import { createEffect, createMemo, For, type JSX, on, Show } from 'solid-js'
import { DashboardPage } from '../dashboard/dashboard-page.tsx'
import { useSession } from '../data/session.tsx'
import { createInputs, InputsContext } from '../reference/inputs.ts'
import { Inline, Markdown } from '../reference/markdown.tsx'
import { fetchOpenApi, groupsOf, type OpenApi, operationAt } from '../reference/openapi.ts'
import { OperationList } from '../reference/operation-list.tsx'
import { OperationView } from '../reference/operation-view.tsx'
import { RequestPanel } from '../reference/request-panel.tsx'
import { createLoad, Loaded } from '../ui/load.tsx'
import './docs.css'

export default function DocsPage(): JSX.Element {
  const { load, again } = createLoad(fetchOpenApi)
  return (
    <DashboardPage title="API reference" wide public>
      <Loaded load={load()} again={again}>
        {document => (
          <div class="ref-room">
            <Reference document={document()} />
          </div>
        )}
      </Loaded>
    </DashboardPage>
  )
}

function Reference(props: { document: OpenApi }): JSX.Element {
  const location = useLocation()
  const { user } = useSession()
  const inputs = createInputs()
  const groups = createMemo(() => groupsOf(props.document))
  const current = createMemo(() => operationAt(groups(), location.hash))
  let heading: HTMLElement | undefined
  createEffect(on(() => user()?.id, inputs.loadSuggestions))
  createEffect(
    on(
      current,
      () => {
        scrollTo(0, 0)
        heading?.focus({ preventScroll: true })
      },
      { defer: true },
    ),
  )
  const setHeading = (element: HTMLElement) => {
    heading = element
  }
  return (
    <InputsContext.Provider value={inputs}>
      <div class="ref">
        <div class="ref-side">
          <OperationList groups={groups()} current={current()} />
        </div>
        <Show
          when={current()}
          keyed
          fallback={<Introduction document={props.document} heading={setHeading} />}
        >
          {operation => (
            <>
              <OperationView
                operation={operation}
                schemas={props.document.components.schemas}
                heading={setHeading}
              />
              <Show when={operation.path !== null}>
                <RequestPanel operation={operation} />
              </Show>
            </>
          )}
        </Show>
      </div>
    </InputsContext.Provider>
  )
}

function Introduction(props: { document: OpenApi; heading: (element: HTMLElement) => void }): JSX.Element {
  return (
    <section class="ref-middle" aria-label="Introduction">
      <h2 tabIndex={-1} ref={props.heading}>
        Introduction
      </h2>
      <p class="hint">
        Version {props.document.info.version}. The same as{' '}
        <a href="/api/v1/openapi.json" rel="external">
          OpenAPI 3.1
        </a>
        .
      </p>
      <Markdown text={props.document.info.description} />
      <dl class="ref-fields">
        <For each={props.document.tags}>
          {({ name, description }) => (
            <>
              <dt>{name}</dt>
              <dd>
                <Inline text={description} />
              </dd>
            </>
          )}
        </For>
      </dl>
    </section>
  )
}

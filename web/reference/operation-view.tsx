// An operation: its description, the fields for its parameters and body, and its responses.
import { For, type JSX, Show } from 'solid-js'
import { formatJson } from '../builder/format-json.ts'
import { Lines } from '../ui/copy.tsx'
import { growWith } from '../ui/grow-with.ts'
import { useInputs } from './inputs.ts'
import { Inline, Markdown } from './markdown.tsx'
import {
  API_PATH,
  type Content,
  type DocumentedResponse,
  examplesOf,
  type Operation,
  type Parameter,
  type Schema,
} from './openapi.ts'
import { limitsText, typeText } from './schema-text.ts'
import { SchemaView } from './schema-view.tsx'

type Props = { operation: Operation; schemas: Record<string, Schema> }

export function OperationView(props: Props & { heading: (element: HTMLElement) => void }): JSX.Element {
  return (
    <section class="ref-middle" aria-label={props.operation.summary}>
      <h2 tabIndex={-1} ref={props.heading}>
        {props.operation.summary}
      </h2>
      <Show when={props.operation.path}>
        {path => (
          <p class="ref-path">
            <b>{props.operation.method}</b> {API_PATH}
            {path()}
          </p>
        )}
      </Show>
      <Markdown text={props.operation.description} />
      <Show when={props.operation.parameters.length > 0}>
        <h3>{props.operation.path === null ? 'Headers' : 'Parameters'}</h3>
        <For each={props.operation.parameters}>
          {parameter => <ParameterField operation={props.operation} parameter={parameter} />}
        </For>
      </Show>
      <Show when={props.operation.body}>
        {body => (
          <>
            <h3>Body</h3>
            <Show
              when={props.operation.path !== null}
              fallback={<For each={examplesOf(body())}>{example => <ExampleText {...example} />}</For>}
            >
              <BodyField operation={props.operation} body={body()} />
            </Show>
            <details>
              <summary>Fields of the body</summary>
              <SchemaView schema={body().schema} schemas={props.schemas} />
            </details>
          </>
        )}
      </Show>
      <h3>Responses</h3>
      <For each={props.operation.responses}>
        {response => <ResponseView response={response} schemas={props.schemas} />}
      </For>
    </section>
  )
}

/** What people choose the id of a parameter from. */
const OWN: Record<string, string> = { channelId: 'Your channels', workspace_id: 'Your workspaces' }

function ParameterField(props: { operation: Operation; parameter: Parameter }): JSX.Element {
  const inputs = useInputs()
  const id = () => `ref-${props.parameter.name}`
  const about = () =>
    [
      props.parameter.in,
      props.parameter.required ? 'required' : '',
      typeText(props.parameter.schema),
      limitsText(props.parameter.schema),
    ]
      .filter(text => text !== '')
      .join(', ')
  const suggestions = () => inputs.suggestionsFor(props.parameter)
  const value = () => inputs.valueFor(props.operation, props.parameter)
  const set = (next: string) => inputs.setValue(props.operation, props.parameter, next)
  return (
    <div class="field ref-parameter">
      <label for={id()}>
        <code>{props.parameter.name}</code> <span class="ref-type">{about()}</span>
      </label>
      <p class="hint" id={`${id()}-about`}>
        <Inline text={props.parameter.description} />
      </p>
      <Show when={props.operation.path !== null}>
        <Show when={suggestions().length > 0}>
          <select
            aria-label={OWN[props.parameter.name]}
            onChange={event => set(suggestions()[event.currentTarget.selectedIndex]?.value ?? '')}
          >
            <For each={suggestions()}>
              {one => <option selected={one.value === value()}>{one.name}</option>}
            </For>
            <option selected={!suggestions().some(one => one.value === value())}>Another id</option>
          </select>
        </Show>
        <input
          id={id()}
          autocomplete="off"
          spellcheck={false}
          aria-describedby={`${id()}-about`}
          value={value()}
          onInput={event => set(event.currentTarget.value)}
        />
      </Show>
    </div>
  )
}

function BodyField(props: { operation: Operation; body: Content }): JSX.Element {
  const inputs = useInputs()
  const examples = () => examplesOf(props.body)
  const text = () => inputs.bodyOf(props.operation)
  return (
    <div class="field ref-body">
      <Show when={examples().length > 1}>
        <label for="ref-example">Example</label>
        <select
          id="ref-example"
          onChange={event =>
            inputs.setBody(props.operation, formatJson(examples()[event.currentTarget.selectedIndex]?.value))
          }
        >
          <For each={examples()}>{({ summary }) => <option>{summary}</option>}</For>
        </select>
      </Show>
      <label for="ref-body">JSON</label>
      <textarea
        id="ref-body"
        ref={area => growWith(area, text)}
        rows={Math.min(text().split('\n').length + 1, 20)}
        spellcheck={false}
        value={text()}
        aria-invalid={inputs.parsedBody(props.operation) ? undefined : 'true'}
        aria-describedby="ref-body-error"
        onInput={event => inputs.setBody(props.operation, event.currentTarget.value)}
      />
      <p class="form-error" id="ref-body-error" role="status">
        {inputs.parsedBody(props.operation) ? '' : 'This isn’t JSON.'}
      </p>
    </div>
  )
}

function ResponseView(props: { response: DocumentedResponse; schemas: Record<string, Schema> }): JSX.Element {
  return (
    <details class="ref-response">
      <summary>
        <b>{props.response.status}</b>{' '}
        <span>
          <Inline text={props.response.description} />
        </span>
      </summary>
      <For each={examplesOf(props.response.content)}>{example => <ExampleText {...example} />}</For>
      <Show when={props.response.headers.length > 0}>
        <dl class="ref-fields">
          <For each={props.response.headers}>
            {({ name, description }) => (
              <>
                <dt>
                  <code>{name}</code> <span class="ref-type">header</span>
                </dt>
                <dd>
                  <Inline text={description} />
                </dd>
              </>
            )}
          </For>
        </dl>
      </Show>
      <Show when={props.response.type === 'application/json' && props.response.content}>
        {content => (
          <>
            <h4>Fields</h4>
            <SchemaView schema={content().schema} schemas={props.schemas} />
          </>
        )}
      </Show>
    </details>
  )
}

const ExampleText = (props: { summary: string; value: unknown }) => (
  <>
    <p class="ref-type">{props.summary}</p>
    <Lines
      class="command box"
      label={props.summary}
      text={typeof props.value === 'string' ? props.value : formatJson(props.value)}
    />
  </>
)

// The fields of a schema. Objects inside it open on demand, because schemas refer to each other.
import { createSignal, For, type JSX, Show } from 'solid-js'
import { Inline } from './markdown.tsx'
import { type Schema, schemaName } from './openapi.ts'
import { limitsText, objectsIn, typeText } from './schema-text.ts'

type Props = { schema: Schema; schemas: Record<string, Schema> }

export function SchemaView(props: Props): JSX.Element {
  const schema = () => resolved(props)
  return (
    <Show
      when={schema().properties}
      fallback={<Variants schema={schema()} schemas={props.schemas} among={typeText(schema())} />}
    >
      {properties => (
        <dl class="ref-fields">
          <For each={Object.entries(properties())}>
            {([name, field]) => (
              <Field
                name={name}
                schema={field}
                schemas={props.schemas}
                required={schema().required?.includes(name) ?? false}
              />
            )}
          </For>
        </dl>
      )}
    </Show>
  )
}

function Field(props: Props & { name: string; required: boolean }): JSX.Element {
  return (
    <>
      <dt>
        <code>{props.name}</code>{' '}
        <span class="ref-type">
          {[typeText(props.schema), props.required ? 'required' : ''].filter(Boolean).join(', ')}
        </span>
      </dt>
      <dd>
        <Show when={props.schema.description}>
          {text => (
            <p>
              <Inline text={text()} />
            </p>
          )}
        </Show>
        <Show when={limitsText(props.schema)}>{limits => <p class="ref-type">{limits()}</p>}</Show>
        <Variants schema={props.schema} schemas={props.schemas} />
      </dd>
    </>
  )
}

function Variants(props: Props & { among?: string }): JSX.Element {
  const objects = () => objectsIn(props.schema)
  return (
    <Show when={objects().length > 0} fallback={<p class="ref-type">{props.among}</p>}>
      <For each={objects()}>{schema => <Variant schema={schema} schemas={props.schemas} />}</For>
    </Show>
  )
}

function Variant(props: Props): JSX.Element {
  const [open, setOpen] = createSignal(false)
  return (
    <details onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{labelOf(props.schema)}</summary>
      <Show when={open()}>
        <SchemaView {...props} />
      </Show>
    </details>
  )
}

const resolved = ({ schema, schemas }: Props): Schema =>
  schema.$ref === undefined ? schema : (schemas[schemaName({ $ref: schema.$ref })] ?? schema)

/** An object without a name is named by the field that tells it from the others. */
function labelOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schemaName({ $ref: schema.$ref })
  const type = schema.properties?.type?.const
  return typeof type === 'string'
    ? `type ${JSON.stringify(type)}`
    : `Fields: ${Object.keys(schema.properties ?? {}).join(', ')}`
}

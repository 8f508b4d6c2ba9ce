// What people fill in: values of parameters and bodies. They stay while the page is open.
import { createMemo, createSignal } from 'solid-js'
import { formatJson } from '../builder/format-json.ts'
import { knownChannels, readWorkspaces } from '../data/own-channels.ts'
import { useSession } from '../data/session.tsx'
import { createRequiredContext } from '../lib/required-context.ts'
import { examplesOf, type Operation, type Parameter } from './openapi.ts'

export type Inputs = ReturnType<typeof createInputs>
export type Suggestion = { value: string; name: string }

export const [InputsContext, useInputs] = createRequiredContext<Inputs>('InputsContext')

export function createInputs() {
  const { user } = useSession()
  const [values, setValues] = createSignal<Record<string, string>>({})
  const [bodies, setBodies] = createSignal<Record<string, string>>({})
  const own = createMemo(() => {
    const workspaces = knownChannels(user()?.id)
    return {
      workspace_id: workspaces.map(({ workspace: { id, name } }) => ({ value: id, name })),
      channelId: workspaces.flatMap(({ channels }) => channels.map(({ id, name }) => ({ value: id, name }))),
    }
  })

  /** The owner's channels and workspaces. */
  function suggestionsFor({ name }: Parameter): Suggestion[] {
    return name === 'channelId' || name === 'workspace_id' ? own()[name] : []
  }

  function valueFor(operation: Operation, parameter: Parameter): string {
    const first = parameter.required ? suggestionsFor(parameter)[0]?.value : undefined
    const example = parameter.example === undefined ? '' : String(parameter.example)
    return values()[slot(operation, parameter)] ?? first ?? example
  }

  const bodyOf = (operation: Operation): string => {
    const [example] = examplesOf(operation.body)
    return bodies()[operation.id] ?? (example ? formatJson(example.value) : '')
  }

  return {
    suggestionsFor,
    valueFor,
    setValue: (operation: Operation, parameter: Parameter, value: string) =>
      setValues(before => ({ ...before, [slot(operation, parameter)]: value })),
    bodyOf,
    setBody: (operation: Operation, text: string) =>
      setBodies(before => ({ ...before, [operation.id]: text })),
    /** Undefined if the text isn't JSON. */
    parsedBody(operation: Operation): { value: unknown } | undefined {
      try {
        return { value: JSON.parse(bodyOf(operation)) }
      } catch {
        return undefined
      }
    },
    /** The palette and the navigation read them too, so mostly they are known. */
    loadSuggestions(): void {
      const id = user()?.id
      // Offline, people type the ids.
      if (id !== undefined && knownChannels(id).length === 0) readWorkspaces(id).catch(() => undefined)
    },
  }
}

/** All operations share the ids; other parameters belong to one operation. */
const slot = (operation: Operation, { name, in: place }: Parameter) =>
  place === 'path' || name === 'workspace_id' ? name : `${operation.id} ${name}`

// The addresses of a workspace: a generated slug, and a custom slug that is checked during typing.
import { createEffect, createSignal, For, type JSX, on, onCleanup, Show } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import { validationError } from '../../shared/invalid.ts'
import { customSlugBody, type ListedWorkspace, slugOf } from '../../shared/workspace.ts'
import { checkSlug } from '../data/owner-requests.ts'
import { LinkButton } from '../ui/button.tsx'
import { CopyButton } from '../ui/copy.tsx'
import { FormField, type FormState } from '../ui/form.tsx'
import { Section } from './section.tsx'
import './workspace-address.css'

const addressOf = (slug: string) => `${location.origin}/w/by-slug/${slug}`

type Result = { note: string } | { available: string } | { invalid: string; suggestion?: string }

const RULE = { note: '3 to 48 lowercase letters, digits or hyphens. Leave it empty for none.' }

const PAUSE_MS = 250

export function WorkspaceAddress(props: { workspace: ListedWorkspace; form: FormState }): JSX.Element {
  const addresses = () => {
    const { slug, custom_slug } = props.workspace
    const custom = custom_slug === null ? [] : [addressOf(custom_slug)]
    return [`${location.origin}/w/${slug}`, ...custom]
  }
  const slugCheck = createSlugCheck(props)
  let box: HTMLDivElement | undefined
  const typed = () => box?.querySelector('input')?.value.trim() ?? ''
  // Once it is saved, there is nothing to say about it.
  createEffect(
    on(
      () => props.workspace.custom_slug,
      () => slugCheck.check(typed()),
      { defer: true },
    ),
  )

  function onInput(event: InputEvent): void {
    if (!(event.target instanceof HTMLInputElement)) return
    if (props.form.errorOf('custom_slug') !== undefined) props.form.clear()
    slugCheck.check(typed())
  }

  function use(slug: string): void {
    const input = box?.querySelector('input')
    if (!input) return
    input.value = slug
    input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    input.focus()
  }

  return (
    <Section title="Address" about="The workspace’s links.">
      <ul class="rows box">
        <For each={addresses()}>
          {address => (
            <li class="row">
              <code class="fill">{address}</code>
              <CopyButton text={address} what={address} />
            </li>
          )}
        </For>
      </ul>
      <div ref={box} onInput={onInput}>
        <FormField
          form={props.form}
          name="custom_slug"
          label="Custom slug"
          value={props.workspace.custom_slug ?? ''}
          hint={<SlugHint result={slugCheck.result()} onUse={use} />}
          optional
        />
      </div>
    </Section>
  )
}

/** Checks the format at once and asks the server for the rest. Only the latest response counts. */
function createSlugCheck(props: { workspace: ListedWorkspace }) {
  const [result, setResult] = createSignal<Result>(RULE)
  let timer: ReturnType<typeof setTimeout> | undefined
  let checks = 0
  onCleanup(() => clearTimeout(timer))

  function check(slug: string): void {
    clearTimeout(timer)
    const current = ++checks
    const invalid = validationError(customSlugBody, { custom_slug: slug })
    if (slug === '' || slug === props.workspace.custom_slug) setResult(RULE)
    else if (invalid !== null) setResult({ invalid, suggestion: suggestionFor(slug) })
    else {
      setResult({ note: `Checking ${slug}…` })
      timer = setTimeout(async () => {
        const response = await askServer(slug)
        if (current === checks) setResult(response)
      }, PAUSE_MS)
    }
  }

  async function askServer(slug: string): Promise<Result> {
    try {
      const { reason } = await checkSlug(props.workspace.id, slug)
      return reason === null ? { available: slug } : { invalid: reason }
    } catch (error) {
      if (!(error instanceof ChannelFeedError)) throw error
      return { note: 'The slug couldn’t be checked. Saving checks it again.' }
    }
  }

  return { result, check }
}

function suggestionFor(typed: string): string | undefined {
  const slug = slugOf(typed)
  const isValid = /[a-z0-9]/i.test(typed) && validationError(customSlugBody, { custom_slug: slug }) === null
  return isValid ? slug : undefined
}

function SlugHint(props: { result: Result; onUse: (slug: string) => void }): JSX.Element {
  const text = () => {
    const { result } = props
    if ('note' in result) return result.note
    if ('available' in result)
      return (
        <>
          <span class="slug-available">Available.</span> The address is {addressOf(result.available)}
        </>
      )
    return (
      <>
        <span class="form-error">{result.invalid.replace('custom_slug', 'Custom slug')}</span>
        <Show when={result.suggestion}>
          {slug => (
            <>
              . <LinkButton onClick={() => props.onUse(slug())}>Use {slug()}</LinkButton>
            </>
          )}
        </Show>
      </>
    )
  }
  return <span aria-live="polite">{text()}</span>
}

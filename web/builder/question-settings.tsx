// The fields of a question that are more than a word or a choice: who may decide, the deadline and the approving button.
import { createMemo, createSignal, type JSX, Show } from 'solid-js'
import { WHO } from '../../shared/decision.ts'
import { isJsonObject } from '../../shared/json-object.ts'
import { formatMinute } from '../lib/format.ts'
import { growWith } from '../ui/grow-with.ts'
import { useBuilder } from './builder.ts'
import { asList, getIn } from './card-value.ts'
import { type BuilderFieldProps, FieldFrame, textOf } from './field.tsx'
import { problemWords } from './problem-words.ts'
import { addressesOf, amountOf, COMMON_DEADLINES, secondsOf, UNITS } from './question-values.ts'
import { BuilderSelect, type Choice } from './select-field.tsx'

/** Short enough for half of a narrow block. */
const WHO_NAMES: Record<(typeof WHO)[number], string> = {
  anyone: 'Anyone',
  signed_in: 'Anyone signed in',
  members: 'Members',
  owner: 'Only the owner',
  listed: 'As chosen before',
}
/** The value of the select while the field is a list. */
const LIST = 'list'

export function WhoField(props: BuilderFieldProps): JSX.Element {
  const builder = useBuilder()
  const [typed, setTyped] = createSignal('')
  const value = () => getIn(builder.value(), props.path) ?? 'anyone'
  const isList = createMemo(() => Array.isArray(value()))
  /** Only a stored question can keep its list, since its addresses aren't shown here. */
  const names = () => WHO.filter(who => who !== 'listed' || value() === who)
  const choices = (): Choice[] => [
    ...names().map(who => ({ value: who, label: WHO_NAMES[who] })),
    { value: LIST, label: 'Chosen people' },
  ]
  /** As it was typed, so that the cursor stays in its place. */
  const text = () => {
    const list = asList(value()).map(textOf)
    return addressesOf(typed()).join() === list.join() ? typed() : list.join('\n')
  }

  function write(text: string): void {
    setTyped(text)
    builder.edit(props.path, addressesOf(text))
  }

  return (
    <>
      <BuilderSelect
        {...props}
        choices={choices()}
        value={isList() ? LIST : value()}
        errors={isList() ? [] : undefined}
        onSelect={who => builder.edit(props.path, who === LIST ? [] : who)}
      />
      <Show when={isList()}>
        <FieldFrame
          path={props.path}
          spec={{ kind: 'lines', label: 'E-mail addresses', hint: 'One per line. Each needs an account.' }}
        >
          {control => (
            <textarea
              {...control}
              ref={area => growWith(area, text)}
              autocomplete="off"
              value={text()}
              onInput={event => write(event.currentTarget.value)}
            />
          )}
        </FieldFrame>
      </Show>
    </>
  )
}

const NEVER = 'never'
const OWN = 'own'
const STORED = 'stored'

export function DeadlineField(props: BuilderFieldProps): JSX.Element {
  const builder = useBuilder()
  const [own, setOwn] = createSignal(false)
  const question = () => props.path.slice(0, -1)
  const seconds = () => getIn(builder.value(), props.path) ?? null
  const at = () => getIn(builder.value(), [...question(), 'expires_at']) ?? null
  const isCommon = () => COMMON_DEADLINES.some(({ value }) => value === seconds())
  const isOwn = createMemo(() => seconds() !== null && (own() || !isCommon()))
  const choices = (): Choice[] => [
    { value: NEVER, label: 'No deadline' },
    ...(at() === null ? [] : [{ value: STORED, label: instantText(at()) }]),
    ...COMMON_DEADLINES,
    { value: OWN, label: 'Another time' },
  ]
  const selected = () => {
    if (isOwn()) return OWN
    return seconds() ?? (at() === null ? NEVER : STORED)
  }
  const errors = () =>
    [...builder.problemsAt(props.path), ...builder.problemsAt([...question(), 'expires_at'])].map(
      problemWords,
    )

  function select(value: unknown): void {
    setOwn(value === OWN)
    if (value === STORED) return
    const now = getIn(builder.value(), question())
    const { expires_in: _, expires_at: __, ...rest } = isJsonObject(now) ? now : {}
    if (value === NEVER) return builder.edit(question(), { ...rest, ...noDeadline() })
    const next = value === OWN ? (seconds() ?? COMMON_DEADLINES[0]?.value) : value
    builder.edit(question(), { ...rest, expires_in: next })
  }

  /** In a PUT, only null removes the deadline of a stored question. */
  function noDeadline() {
    const blockId = getIn(builder.value(), [...question().slice(0, -1), 'id'])
    const stored = builder.card()?.blocks.find(({ id }) => id === blockId)
    const has = stored?.type === 'button' && (stored.decision?.expires_at ?? null) !== null
    return has ? { expires_at: null } : {}
  }

  return (
    <BuilderSelect {...props} choices={choices()} value={selected()} errors={errors()} onSelect={select}>
      <Show when={isOwn()}>
        <Amount path={props.path} />
      </Show>
    </BuilderSelect>
  )
}

/** A number and its unit. The unit stays while the number changes. */
function Amount(props: Pick<BuilderFieldProps, 'path'>): JSX.Element {
  const builder = useBuilder()
  const value = () => getIn(builder.value(), props.path)
  const [unit, setUnit] = createSignal(amountOf(value()).unit)
  const amount = () => amountOf(value(), unit()).text
  const write = (text: string) => builder.edit(props.path, secondsOf(text, unit()))

  return (
    <div class="amount">
      <input
        aria-label="How long"
        inputmode="decimal"
        autocomplete="off"
        value={amount()}
        onInput={event => write(event.currentTarget.value)}
      />
      <select
        aria-label="Unit of time"
        onChange={event => {
          const text = amount()
          setUnit(UNITS[event.currentTarget.selectedIndex] ?? unit())
          write(text)
        }}
      >
        {UNITS.map(one => (
          <option selected={one === unit()}>{one.name}</option>
        ))}
      </select>
    </div>
  )
}

const instantText = (at: unknown) =>
  typeof at === 'string' && !Number.isNaN(Date.parse(at)) ? `At ${formatMinute(at)}` : textOf(at)

export function ApprovesField(props: BuilderFieldProps): JSX.Element {
  const builder = useBuilder()
  const buttons = () => asList(getIn(builder.value(), [...props.path.slice(0, -2), 'buttons']))
  const choices = (): Choice[] => [
    { value: null, label: 'None of them' },
    ...buttons().flatMap(button => {
      const id = getIn(button, ['id'])
      return typeof id === 'string' && id !== ''
        ? [{ value: id, label: textOf(getIn(button, ['label'])) }]
        : []
    }),
  ]
  return (
    <BuilderSelect
      {...props}
      choices={choices()}
      value={getIn(builder.value(), props.path) ?? null}
      onSelect={id => builder.edit(props.path, id)}
    />
  )
}

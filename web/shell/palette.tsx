// The palette: a few letters find any channel, page or action. It is a combobox with a listbox, so that screen readers
// announce what Enter opens.
import { useNavigate } from '@solidjs/router'
import { createMemo, createSignal, createUniqueId, For, type JSX, onMount, Show, splitProps } from 'solid-js'
import { shownFeed } from '../data/channel/shown-feed.ts'
import { readJumps, writeJumps } from '../data/local-copy/channels.ts'
import { onKey } from '../lib/on-key.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { IconSearch } from '../ui/icons.tsx'
import { Modal } from '../ui/modal.tsx'
import { letterOf } from '../ui/shortcut-keys.ts'
import { CARDS_MAX, findCards } from './card-items.ts'
import { createPaletteItems, type PaletteItem } from './palette-items.ts'
import { type RankedGroup, rankItems } from './palette-rank.ts'
import './palette.css'

const JUMPS_MAX = 50
const PAGE = 8

export default function Palette(props: { onClose: () => void }): JSX.Element {
  return (
    <Modal class="palette" label="Search and jump" onClose={props.onClose}>
      {close => <Search close={close} />}
    </Modal>
  )
}

function Search(props: { close: () => void }): JSX.Element {
  const { items, recent, isHere, link } = createPaletteItems()
  const [query, setQuery] = createSignal('')
  const cards = createMemo(() => findCards(query()))
  const groups = createMemo(() => withCards(cards(), rankItems(query(), items(), recent(), isHere)))
  const list = createMemo(() => groups().flatMap(group => group.items))
  const label = () =>
    shownFeed() ? 'Search cards, channels and pages' : 'Search channels, pages and actions'
  const id = createUniqueId()
  const optionId = (item: PaletteItem | undefined) => item && `${id}-${item.id}`
  const { current, choose, step } = createChoice(list, item =>
    document.getElementById(`${id}-${item.id}`)?.scrollIntoView({ block: 'nearest' }),
  )
  const open = createOpen(() => props.close())
  let input: HTMLInputElement | undefined

  onMount(() => input?.focus())

  function onKeyDown(event: KeyboardEvent): void {
    const mod = event.ctrlKey || event.metaKey
    if (event.key === 'ArrowDown') step(1, true)
    else if (event.key === 'ArrowUp') step(-1, true)
    else if (event.key === 'PageDown') step(PAGE, false)
    else if (event.key === 'PageUp') step(-PAGE, false)
    else if (event.key === 'Enter') open(current(), mod)
    else if (mod && letterOf(event) === 'k') props.close()
    else return
    event.preventDefault()
  }

  return (
    <>
      <div class="palette-field across">
        <IconSearch />
        <input
          ref={input}
          type="text"
          role="combobox"
          aria-label={label()}
          aria-expanded={list().length > 0}
          aria-controls={id}
          aria-autocomplete="list"
          aria-activedescendant={optionId(current())}
          placeholder={`${label()}…`}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
          enterkeyhint="go"
          onInput={event => {
            setQuery(event.currentTarget.value)
            choose(undefined)
          }}
          onKeyDown={onKey(onKeyDown)}
        />
        <button type="button" class="palette-close" onClick={() => props.close()}>
          Close
        </button>
      </div>
      <div class="palette-list" id={id} role="listbox" aria-label="Results">
        <For each={groups()}>
          {({ heading, items }) => (
            // biome-ignore lint/a11y/useSemanticElements: the groups of a listbox have this role, not that of a form
            <div role="group" aria-label={heading}>
              <Heading words={heading} isAlone={groups().length === 1} />
              <For each={items}>
                {item => (
                  <Option
                    item={item}
                    about={item.about ?? (query() === '' ? '' : KINDS[item.group].name)}
                    id={optionId(item)}
                    aria-selected={item.id === current()?.id}
                    onPointerMove={() => choose(item.id)}
                    onClick={event => open(item, event.ctrlKey || event.metaKey)}
                    onKeyDown={onKey(onKeyDown)}
                  />
                )}
              </For>
            </div>
          )}
        </For>
      </div>
      <p class="palette-note fine" role="status">
        <span class="palette-words">
          {noteOf(query(), list().length, cards().length > CARDS_MAX, link())}
        </span>
        <span class="palette-keys">Enter to open, Esc to close</span>
      </p>
    </>
  )
}

function withCards(cards: PaletteItem[], others: RankedGroup[]): RankedGroup[] {
  if (cards.length === 0) return others
  return [{ heading: 'Cards in this channel', items: cards.slice(0, CARDS_MAX) }, ...others]
}

/** What was found needs no heading if nothing else is listed. */
function Heading(props: { words: string; isAlone: boolean }): JSX.Element {
  return (
    <Show when={!props.isAlone || props.words !== 'Found'}>
      <div class="palette-heading fine" aria-hidden="true">
        {props.words === 'Found' ? 'Channels, pages and actions' : props.words}
      </div>
    </Show>
  )
}

function createChoice(list: () => PaletteItem[], onStep: (item: PaletteItem) => void) {
  const [chosen, choose] = createSignal<string>()
  const current = () => list().find(item => item.id === chosen()) ?? list()[0]

  function step(by: number, wrap: boolean): void {
    const all = list()
    const now = current()
    if (!now) return
    const index = all.indexOf(now) + by
    const clamped = Math.max(0, Math.min(index, all.length - 1))
    const next = all[wrap ? (index + all.length) % all.length : clamped] ?? now
    choose(next.id)
    onStep(next)
  }

  return { current, choose, step }
}

type OptionProps = JSX.HTMLAttributes<HTMLDivElement> & { item: PaletteItem; about: string }

function Option(props: OptionProps): JSX.Element {
  const [own, attributes] = splitProps(props, ['item', 'about'])
  return (
    <div class="palette-option" role="option" tabIndex={-1} {...attributes}>
      <ChannelIcon icon={own.item.icon ?? KINDS[own.item.group].sign} />
      <span class="cut" dir="auto">
        {own.item.name}
      </span>
      <span class="quiet cut">{own.about}</span>
    </div>
  )
}

const KINDS: Record<PaletteItem['group'], { sign: string; name: string }> = {
  'Cards in this channel': { sign: '▪', name: 'Card' },
  'This channel': { sign: '›', name: 'Page' },
  Channels: { sign: '#', name: 'Channel' },
  Workspaces: { sign: '▣', name: 'Workspace' },
  Pages: { sign: '›', name: 'Page' },
  Actions: { sign: '+', name: 'Action' },
}

function createOpen(close: () => void) {
  const navigate = useNavigate()
  return (item: PaletteItem | undefined, inNewTab: boolean): void => {
    if (!item) return
    if (item.group !== 'Cards in this channel') remember(item)
    // Close first: the focus must be back on the page before the page changes.
    close()
    const { does } = item
    if ('run' in does) does.run()
    else if (inNewTab) window.open(does.href, '_blank', 'noopener')
    else navigate(does.href)
  }
}

async function remember(item: PaletteItem): Promise<void> {
  const others = Object.entries((await readJumps()) ?? {}).filter(([id]) => id !== item.id)
  const latest = others.sort(([, a], [, b]) => b - a).slice(0, JUMPS_MAX - 1)
  await writeJumps(Object.fromEntries([[item.id, Date.now()], ...latest]))
}

function noteOf(
  query: string,
  count: number,
  hasMoreCards: boolean,
  link: 'loading' | 'ready' | 'offline',
): string {
  if (count === 0)
    return `No results for “${query.trim()}”.${shownFeed() ? ' Only loaded cards are searched.' : ''}`
  if (hasMoreCards) return 'More cards match. Type more to narrow them down.'
  const found = query.trim() === '' ? '' : `${count} found.`
  if (link === 'loading') return `${found} Loading your channels…`
  if (link === 'offline') return `${found} Offline: only channels seen on this device.`
  return found
}

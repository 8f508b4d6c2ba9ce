// A button that opens a menu: links and actions in the browser's own popover, below the button. Arrow keys move in it.
import { createSignal, createUniqueId, For, type JSX, Show } from 'solid-js'
import { onKey } from '../lib/on-key.ts'
import { IconButton } from './button.tsx'
import './menu.css'

/** `apart`: a line stands above it. `current`: it is what the button shows. */
export type MenuItem = {
  name: string
  current?: boolean
  icon: JSX.Element
  danger?: boolean
  apart?: boolean
  does: { href: string } | { run: () => void }
}

const EDGE_PX = 8
const GAP_PX = 4

/** `note` stands above the items. `class`: the button's look. */
export function MenuButton(props: {
  label: string
  icon: JSX.Element
  class?: string
  items: MenuItem[]
  note?: JSX.Element
}): JSX.Element {
  const id = createUniqueId()
  const [open, setOpen] = createSignal(false)
  let button: HTMLButtonElement | undefined
  let menu: HTMLDivElement | undefined

  function onToggle(event: ToggleEvent): void {
    const opened = event.newState === 'open'
    setOpen(opened)
    const listen = opened ? window.addEventListener : window.removeEventListener
    for (const name of ['scroll', 'resize']) listen(name, closeUnlessInside, { capture: true })
    if (!opened || !menu || !button) return
    moveBelow(menu, button)
    menu.querySelector<HTMLElement>('.menu-item')?.focus()
  }

  const close = () => menu?.isConnected && menu.hidePopover()
  /** A long menu scrolls by itself. */
  const closeUnlessInside = ({ target }: Event) => target !== menu && close()

  function onKeyDown(event: KeyboardEvent): void {
    // Closing returns the focus to the button, and Tab leads on from there.
    if (event.key === 'Tab') close()
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
    event.preventDefault()
    const items = [...(menu?.querySelectorAll<HTMLElement>('.menu-item') ?? [])]
    const at = items.findIndex(item => item.matches(':focus'))
    const next = (at + (event.key === 'ArrowDown' ? 1 : -1) + items.length) % items.length
    items[next]?.focus()
  }

  return (
    <>
      <IconButton
        ref={button}
        class={props.class ?? 'icon-button'}
        aria-label={props.label}
        aria-expanded={open()}
        aria-controls={id}
        title={props.class === undefined ? 'More' : undefined}
        popovertarget={id}
      >
        {props.icon}
      </IconButton>
      <div
        id={id}
        class="menu"
        popover="auto"
        ref={menu}
        on:toggle={onToggle}
        on:keydown={onKey(onKeyDown)}
        on:click={close}
      >
        <Show when={open()}>
          {props.note}
          <ul aria-label={props.label}>
            <For each={props.items}>
              {item => (
                <li classList={{ 'menu-apart': item.apart }}>
                  <Item item={item} />
                </li>
              )}
            </For>
          </ul>
        </Show>
      </div>
    </>
  )
}

function Item(props: { item: MenuItem }): JSX.Element {
  const content = () => (
    <>
      {props.item.icon}
      {props.item.name}
    </>
  )
  const does = () => props.item.does
  const run = () => {
    const now = does()
    if ('run' in now) now.run()
  }
  const href = () => {
    const now = does()
    return 'href' in now ? now : undefined
  }
  return (
    <Show
      when={href()}
      fallback={
        <button
          type="button"
          class="menu-item"
          classList={{ 'menu-danger': props.item.danger }}
          aria-current={props.item.current ? 'true' : undefined}
          onClick={run}
        >
          {content()}
        </button>
      }
    >
      {link => (
        <a class="menu-item" classList={{ 'menu-danger': props.item.danger }} href={link().href}>
          {content()}
        </a>
      )}
    </Show>
  )
}

/** At the end of the button, and inside the window. */
function moveBelow(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect()
  const { width, height } = menu.getBoundingClientRect()
  const isRtl = getComputedStyle(button).direction === 'rtl'
  const left = isRtl ? at.left : at.right - width
  const below = at.bottom + GAP_PX
  const top = below + height + EDGE_PX > window.innerHeight ? at.top - GAP_PX - height : below
  menu.style.left = `${Math.max(EDGE_PX, Math.min(left, window.innerWidth - width - EDGE_PX))}px`
  menu.style.top = `${Math.max(EDGE_PX, top)}px`
}

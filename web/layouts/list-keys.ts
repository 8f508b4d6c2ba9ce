// Arrow keys, Home and End move the focus in a list of links.
import { isAlone, stepTo } from '../ui/arrow-keys.ts'

export function moveFocus(event: KeyboardEvent & { currentTarget: HTMLElement }): void {
  if (!isAlone(event)) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const at = links.findIndex(link => link.matches(':focus'))
  const next = stepTo(event.key, at, links.length, ['ArrowDown', 'ArrowUp'])
  if (next === undefined) return
  event.preventDefault()
  links[next]?.focus()
}

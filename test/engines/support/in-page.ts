// Functions that run in the page. They may use nothing from outside themselves.

export type Found = { x: number; y: number } | { problem: string }

/** Scrolls to the element with this role and name, and says where it takes a click. `name`: the source of a RegExp. */
export function findByRole({ role, name }: { role: string; name: string }): Found {
  const SELECTORS: Record<string, string> = {
    button: 'button, summary, [role=button]',
    link: 'a[href]',
    heading: 'h1, h2, h3, h4',
    textbox: 'textarea, input:not([type=checkbox], [type=radio], [type=button])',
    combobox: 'select, [role=combobox]',
    checkbox: 'input[type=checkbox]',
    switch: '[role=switch]',
    radio: 'input[type=radio]',
    row: 'tr',
    article: 'article',
    dialog: 'dialog[open]:not([role=alertdialog])',
    alertdialog: '[role=alertdialog]',
  }
  const textOf = (ids: string | null) =>
    ids
      ?.split(' ')
      .map(id => document.getElementById(id)?.textContent ?? '')
      .join(' ')
  function nameOf(element: Element): string {
    const labels = 'labels' in element && element.labels instanceof NodeList ? [...element.labels] : []
    const names = [
      textOf(element.getAttribute('aria-labelledby')),
      element.getAttribute('aria-label'),
      labels.map(label => label.textContent).join(' '),
      element.textContent,
      element.getAttribute('title'),
    ]
    return (names.find(text => text?.trim()) ?? '').replace(/\s+/g, ' ').trim()
  }
  const wanted = new RegExp(name)
  const shown = [...document.querySelectorAll(SELECTORS[role] ?? `[role=${role}]`)].filter(element =>
    element.checkVisibility({ visibilityProperty: true }),
  )
  const element = shown.find(element => wanted.test(nameOf(element)))
  if (!element) return { problem: `${role}s on the page: ${shown.map(nameOf).join(', ').slice(0, 600)}` }
  if (element.closest('[inert]')) return { problem: 'it is in an inert part of the page' }
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const box = (element.getClientRects()[0] ?? element.getBoundingClientRect()).toJSON()
  const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
  const top = document.elementFromPoint(x, y)
  const takesIt =
    top && (element.contains(top) || top.contains(element) || top.closest('label')?.control === element)
  return takesIt ? { x, y } : { problem: `it is covered by ${top?.outerHTML.slice(0, 200)}` }
}

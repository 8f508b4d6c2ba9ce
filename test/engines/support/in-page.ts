// Functions that run in the page. They may use nothing from outside themselves.

export type Found = { x: number; y: number } | { problem: string }

/** Says where the element with this role and name takes a click, and scrolls to it if it must. `name`: the source of a RegExp. */
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
  const place = () => {
    const box = element.getClientRects()[0] ?? element.getBoundingClientRect()
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    const top = document.elementFromPoint(x, y)
    const takesIt =
      element.contains(top) || top?.contains(element) || top?.closest('label')?.control === element
    return { x, y, top, takesIt }
  }
  if (!place().takesIt) element.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { x, y, top, takesIt } = place()
  if (takesIt) return { x, y }
  const at = `at ${Math.round(x)}, ${Math.round(y)} of ${innerWidth} × ${innerHeight}`
  return { problem: `${at} is ${top?.outerHTML.slice(0, 200)}, ${element.outerHTML.slice(0, 200)}` }
}

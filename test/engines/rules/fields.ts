// Fields by keyboard: every block type on one card, and text of several lines.
import { expect, test } from 'vitest'
import { buttons, input, kv, text, toggle } from '../../browser/support/api.ts'
import { valueIn } from '../../browser/support/hooks.ts'
import { api, engine_name, hooks, openSignedIn } from '../support/stage.ts'

const FORM = [
  text('A form'),
  { type: 'badge', label: 'Production', variant: 'success' },
  { type: 'divider' },
  { type: 'image', url: 'https://images.example/gone.png', alt: 'A picture' },
  kv([{ key: 'Service', value: 'payments' }]),
  input('name', 'Name', { required: true }),
  input('mail', 'Mail', { input_type: 'email' }),
  input('count', 'Count', { input_type: 'number' }),
  input('day', 'Day', { input_type: 'date' }),
  input('more', 'More', { multiline: true }),
  { type: 'select', id: 'where', label: 'Where', options: ['here', 'there'] },
  { type: 'multiselect', id: 'who', label: 'Who', options: ['Ada', 'Grace'] },
  toggle('sure', 'Sure'),
  buttons('Send'),
]

export function fieldRules(): void {
  test('a card with every block type is filled in and sent by keyboard alone', async () => {
    const { id } = await api.createChannel('Form', hooks.at('/form'))
    await api.push(id, FORM)
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    const focus = (label: string) =>
      page.becomes(
        true,
        label => {
          const fields = [
            ...document.querySelectorAll<HTMLElement>(
              '#app:not([inert]) :is(input, textarea, select, button)',
            ),
          ]
          const nameOf = (field: HTMLElement) =>
            'labels' in field && field.labels instanceof NodeList && field.labels.length > 0
              ? field.labels[0]?.textContent
              : field.textContent
          const field = fields.find(field => nameOf(field)?.replace(' *', '') === label)
          field?.focus()
          return document.activeElement === field
        },
        label,
      )

    await focus('Send')
    await page.press('Enter')
    await page.sees('Fill this in')
    await focus('Name')
    await page.type('Ann')
    await page.press('Tab')
    await page.type('no address')
    await focus('Send')
    await page.press('Enter')
    await page.sees('e-mail')
    expect(hooks.came('/form')).toEqual([])

    await focus('Mail')
    await page.press('Control+a')
    await page.type('ann@example.com')
    await page.press('Tab')
    await page.type('12.5')
    await page.press('Tab')
    for (const part of ['12', '24', '2031']) {
      await page.type(part)
      // The others go on by themselves.
      if (engine_name === 'webkit') await page.press('Tab')
    }
    await focus('More')
    await page.type('one')
    await page.press('Enter')
    await page.type('two')
    await page.press('Tab')
    await page.press('ArrowDown', 'ArrowDown')
    await focus('Grace')
    await page.press('Space')
    await focus('Sure')
    await page.press('Space')
    await focus('Send')
    await page.press('Enter')

    const [hook] = await hooks.hooks('/form', 1)
    const values = ['name', 'mail', 'count', 'day', 'more', 'where', 'who', 'sure'].map(id =>
      valueIn(hook, id),
    )
    expect(values).toEqual([
      'Ann',
      'ann@example.com',
      '12.5',
      '2031-12-24',
      'one\ntwo',
      'there',
      ['Grace'],
      true,
    ])
  })

  test('the reply box and a field of several lines grow with what is typed', async () => {
    const { id } = await api.createChannel('Lines')
    await api.push(id, [text('A form'), input('note', 'Note', { multiline: true })])
    const page = await openSignedIn()
    await page.goto(`/c/${id}`)
    await page.link('live')
    for (const [name, newLine] of [
      [/^Reply/, 'Shift+Enter'],
      [/^Note$/, 'Enter'],
    ] as const) {
      await page.click('textbox', name)
      for (let line = 1; line <= 6; line++) {
        await page.type(`line ${line}`)
        if (line < 6) await page.press(newLine)
      }
      await page.becomes(0, () => {
        const field = document.activeElement
        return field ? Math.max(0, field.scrollHeight - field.clientHeight - 1) : -1
      })
    }
  })
}

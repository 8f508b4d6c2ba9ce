// Interactions: what viewers click, change and write reaches the webhook once, with what they entered.
import { expect, test } from 'vitest'
import { buttons, input, text, toggle } from './support/api.ts'
import { valueIn } from './support/hooks.ts'
import { delivered, doneButton, replyBox } from './support/interactions.ts'
import { expectFocus, press } from './support/page.ts'
import { api, createChannel, hooks, openNew, server, setStage, signedIn } from './support/stage.ts'
import { card, interactionStatus, openChannel } from './support/visit.ts'

setStage()

test('a click reaches the webhook with the entered values, and its status shows at the button', async () => {
  const { id, card_id, page } = await openNew(
    hooks.at('/click'),
    input('note', 'Note'),
    input('own', 'Own', { value: 'from the automation' }),
    input('locked', 'Locked', { value: 'fixed', disabled: true }),
    { type: 'select', id: 'where', label: 'Where', options: ['here', 'there'] },
    { type: 'multiselect', id: 'who', label: 'Who', options: ['Ada', 'Grace', 'Joan'] },
    toggle('sure', 'Sure'),
    buttons('Approve', { id: 'reject', label: 'Reject', style: 'danger' }),
  )
  const before = Date.now()
  await page.getByLabel('Note').fill('With care')
  await page.getByLabel('Where').selectOption('there')
  await page.getByLabel('Joan').check()
  await page.getByLabel('Ada').check()
  await page.getByLabel('Sure').check()
  await press(page, 'Approve')

  const [hook] = await hooks.hooks('/click', 1)
  expect(hook).toMatchObject({
    card_id,
    trigger: { type: 'button_click', button_id: 'approve', label: 'Approve' },
  })
  expect(Date.parse(hook?.timestamp ?? '')).toBeGreaterThanOrEqual(before)
  expect(['note', 'own', 'locked', 'where', 'who', 'sure'].map(id => valueIn(hook, id))).toEqual([
    'With care',
    'from the automation',
    'fixed',
    'there',
    ['Ada', 'Joan'],
    true,
  ])
  await doneButton(page, 'Approve').waitFor()
  await page.getByRole('status').getByText('Approve: Delivered').waitFor()
  // Drafts stay until the automation sets other values.
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('With care')
  await api.patch(id, card_id, { blocks: [{ id: 'note', patch: { value: 'Next' } }] })
  await expect.poll(() => page.getByLabel('Note').inputValue()).toBe('Next')
  await expect.poll(() => page.getByLabel('Sure').isChecked()).toBe(true)
})

test('a button with a question sends only after confirmation, and gets the focus back', async () => {
  const { page } = await openNew(
    hooks.at('/confirm'),
    text('Clean up'),
    buttons({ id: 'approve', label: 'Approve', style: 'danger', confirm: 'Delete all 12 servers?' }),
  )
  const button = page.getByRole('button', { name: 'Approve' })
  await button.click()
  const dialog = page.getByRole('alertdialog', { name: 'Delete all 12 servers?' })
  await dialog.getByText('Clean up').waitFor()
  // The safe button has the focus, and Tab stays in the dialog.
  await expectFocus(dialog.getByRole('button', { name: 'Cancel' }))
  await page.keyboard.press('Tab')
  await expectFocus(dialog.getByRole('button', { name: 'Approve' }))
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await expectFocus(button)

  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Approve' }).click()
  await hooks.hooks('/confirm', 1)
  await delivered(page)
  expect(hooks.came('/confirm').length).toBe(1)
})

test('a wrong field shows its error, takes the focus, and blocks the click', async () => {
  const { page } = await openNew(
    hooks.at('/checks'),
    input('mail', 'Mail', { input_type: 'email' }),
    input('ticket', 'Ticket', { required: true, hint: 'CHG-0000' }),
    { type: 'multiselect', id: 'who', label: 'Who', options: ['Ada', 'Grace'], required: true },
    buttons('Approve'),
  )
  await page.getByLabel('Mail').fill('nobody')
  await press(page, 'Approve')
  await page.getByText('Must be an e-mail address').waitFor()
  await expect.poll(() => page.getByText('then choose Approve again').count()).toBe(2)
  await expectFocus(page.getByLabel('Mail'))
  await expect.poll(() => page.getByLabel('Ticket').getAttribute('aria-invalid')).toBe('true')
  const described = await page.getByLabel('Ticket').evaluate(input => {
    const ids = input.getAttribute('aria-describedby')?.split(' ') ?? []
    return ids.map(id => document.getElementById(id)?.textContent)
  })
  expect(described).toEqual(['Fill this in, then choose Approve again', 'CHG-0000'])

  await page.getByLabel('Mail').fill('a@example.com')
  await page.getByLabel('Ticket').fill('CHG-1')
  await press(page, 'Approve')
  await expectFocus(page.getByLabel('Ada'))
  await page.getByLabel('Ada').check()
  await press(page, 'Approve')
  await hooks.hooks('/checks', 1)
  expect(hooks.came('/checks').length).toBe(1)
})

test('a double click sends once, and so does a click while another is pending', async () => {
  const { page } = await openNew(hooks.at('/double'), buttons('Approve', 'Other'))
  hooks.behave(({ path }) => ({ kind: path === '/double' ? 'stall' : 'answer' }))
  await page.getByRole('button', { name: 'Approve' }).dblclick()
  await hooks.hooks('/double', 1)
  await page.locator('button[aria-disabled="true"]', { hasText: 'Approve' }).waitFor()
  await page.getByRole('button', { name: 'Approve' }).click({ force: true })
  hooks.behave(() => ({ kind: 'answer' }))
  hooks.letGo()
  await delivered(page)

  // Webhooks arrive in order, so nothing is missing before this one.
  await press(page, 'Other')
  const all = await hooks.hooks('/double', 2)
  expect(all.map(hook => hook.trigger.label)).toEqual(['Approve', 'Other'])
  await doneButton(page, 'Other').waitFor()
})

test('a held key sends once, and does not confirm its own question', async () => {
  const { page } = await openNew(
    hooks.at('/held'),
    buttons('Approve', { id: 'ask', label: 'Ask', confirm: 'Sure?' }, 'Other'),
  )
  await page.getByRole('button', { name: 'Approve' }).focus()
  // Longer than a double click.
  for (const end = Date.now() + 1_500; Date.now() < end; ) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.getByRole('button', { name: 'Ask' }).focus()
  for (let i = 0; i < 10; i++) await page.keyboard.down('Enter')
  await page.getByRole('alertdialog', { name: 'Sure?' }).waitFor()
  await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  await page.keyboard.press('Escape')
  await press(page, 'Other')
  const all = await hooks.hooks('/held', 2)
  expect(all.map(hook => hook.trigger.label)).toEqual(['Approve', 'Other'])
})

test('a confirmation for a deleted card shows an error', async () => {
  const { id, card_id, page } = await openNew(
    {},
    text('Goes'),
    buttons({ id: 'approve', label: 'Approve', confirm: 'Sure?' }),
  )
  await press(page, 'Approve')
  await page.getByRole('alertdialog').waitFor()
  await api.remove(id, card_id)
  await card(page, 'Goes').waitFor({ state: 'detached' })
  await page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click()
  await page.getByText('Approve: This card was deleted').first().waitFor()
})

test('without a webhook an interaction ends as sent', async () => {
  const { page } = await openNew({ receipts: 'off' }, buttons('Approve'))
  await press(page, 'Approve')
  await expect.poll(() => interactionStatus(page, 'sent').textContent()).toContain('Sent')
  await expect.poll(() => page.getByRole('button', { name: 'Approve' }).getAttribute('aria-busy')).toBe(null)
})

test('send_on_change sends typed text after a pause or on leaving, and a choice at once', async () => {
  const { card_id, page } = await openNew(
    hooks.at('/changes'),
    input('note', 'Note', { send_on_change: true }),
    input('amount', 'Amount', { input_type: 'email', send_on_change: true }),
    input('quiet', 'Quiet'),
    toggle('sure', 'Sure', { send_on_change: true }),
  )
  await page.getByLabel('Quiet').fill('a draft')
  await page.getByLabel('Note').pressSequentially('paused', { delay: 20 })
  const [first] = await hooks.hooks('/changes', 1)
  expect(first).toMatchObject({
    card_id,
    trigger: { type: 'input_change', block_id: 'note', block_type: 'input', value: 'paused' },
  })
  expect(valueIn(first, 'quiet')).toBe('a draft')

  await page.getByLabel('Note').pressSequentially('!')
  await page.keyboard.press('Enter')
  await page.getByLabel('Note').blur()
  await page.getByLabel('Amount').fill('not yet')
  await page.getByLabel('Amount').blur()
  await page.getByText('Must be an e-mail address').waitFor()
  await page.getByLabel('Sure').check()
  const all = await hooks.hooks('/changes', 3)
  expect(all.map(hook => hook.trigger.value)).toEqual(['paused', 'paused!', true])
})

test('deleting a card with an unsent change leaves the page working', async () => {
  const { id, card_id, page } = await openNew(
    {},
    text('Goes'),
    input('note', 'Note', { send_on_change: true }),
  )
  await page.getByLabel('Note').pressSequentially('abc')
  await api.remove(id, card_id)
  await card(page, 'Goes').waitFor({ state: 'detached' })
  await api.push(id, [text('Goes on')])
  await card(page, 'Goes on').waitFor()
})

test('text from an input method is sent only when it is complete', async () => {
  const { id } = await createChannel(hooks.at('/composed'), input('note', 'Note', { send_on_change: true }))
  const { page } = await signedIn()
  await page.clock.install()
  await openChannel(page, server, id)
  await page.getByLabel('Note').focus()
  const keyboard = await page.context().newCDPSession(page)
  for (const half of ['か', 'かん']) {
    await keyboard.send('Input.imeSetComposition', { text: half, selectionStart: 2, selectionEnd: 2 })
    await page.clock.runFor(2_000)
  }
  await keyboard.send('Input.insertText', { text: '漢' })
  await page.clock.runFor(2_000)
  const [hook] = await hooks.hooks('/composed', 1)
  expect(hook?.trigger.value).toBe('漢')
})

test('Enter sends a reply with its line breaks and empties the box', async () => {
  const { page } = await openNew(hooks.at('/reply'))
  await page.clock.install()
  const box = replyBox(page)
  await box.press('Enter')
  await page.getByText('Write something first').waitFor()
  await box.pressSequentially('Line one')
  await box.press('Shift+Enter')
  await box.pressSequentially('Line two')
  await box.press('Enter')
  const [hook] = await hooks.hooks('/reply', 1)
  expect(hook).toMatchObject({
    card_id: null,
    card_state: null,
    trigger: { type: 'reply', text: 'Line one\nLine two' },
  })
  await expect.poll(() => box.inputValue()).toBe('')
  await expectFocus(box)
  await delivered(page)
  await page.clock.fastForward(10_000)
  await interactionStatus(page, 'delivered').waitFor({ state: 'detached' })

  await box.fill('x'.repeat(10_001))
  await page.getByText('1 character too many').waitFor()
  await box.press('x')
  await page.getByText('2 characters too many').waitFor()
  await box.press('Enter')
  await expect.poll(async () => (await box.inputValue()).length).toBe(10_002)
})

test('a channel for viewing disables buttons with a reason, and has no reply box', async () => {
  const { page } = await openNew({ mode: 'view', ...hooks.at('/view') }, text('Look'), buttons('Approve'))
  const button = page.getByRole('button', { name: 'Approve' })
  await button.click({ force: true })
  await expect.poll(() => button.getAttribute('aria-disabled')).toBe('true')
  await expect.poll(() => button.getAttribute('title')).toBe('This channel is view only')
  await expect.poll(() => replyBox(page).count()).toBe(0)
  await expect.poll(() => page.locator('[data-interaction]').count()).toBe(0)
  await card(page, 'Look').waitFor()
  expect(hooks.came('/view')).toEqual([])
})

test('the reply box says what it answers, and who sees replies', async () => {
  const { page } = await openNew()
  const box = page.getByRole('textbox', { name: 'Reply to A channel', exact: true })
  const readers = page.getByText('Only the owner and editors see this')
  expect(await box.getAttribute('aria-describedby')).toContain(await readers.getAttribute('id'))
})

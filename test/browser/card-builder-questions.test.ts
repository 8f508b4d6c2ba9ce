// The card builder: asking for a decision, changing the question, and asking it again.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { question, text } from './support/api.ts'
import {
  addBlock,
  cardsOf,
  open,
  openBuilder,
  openCard,
  openRow,
  pane,
  preview,
  readJson,
  sendButton,
  sendChange,
} from './support/builder.ts'
import { server, session, setStage } from './support/stage.ts'

setStage()

const moreOfQuestion = (page: Page) => page.getByRole('button', { name: 'More about the question' })

/** The selects of the question whose choices are wider than themselves. */
const cutChoices = (page: Page) =>
  page.locator('.question select').evaluateAll(selects =>
    selects.flatMap(select => {
      if (!(select instanceof HTMLSelectElement)) throw new Error('not a select')
      const { font, paddingLeft, paddingRight } = getComputedStyle(select)
      const context = new OffscreenCanvas(1, 1).getContext('2d')
      if (!context) throw new Error('no canvas')
      context.font = font
      const room = select.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      return [...select.options]
        .map(({ text }) => text)
        .filter(text => context.measureText(text).width > room)
    }),
  )

test('a question is asked with the fields of its block, and its preview is one surface', async () => {
  // The JSON editor draws only the lines on the screen.
  const { page } = await open('', { viewport: { width: 1280, height: 2000 } })
  await addBlock(page, 'Text')
  await addBlock(page, 'Buttons')
  const asks = page.getByRole('checkbox', { name: 'Ask for a decision' })
  await asks.focus()
  await page.keyboard.press('Space')
  await page.getByLabel('Who may decide').selectOption('Chosen people')
  await page.locator('.form-error', { hasText: 'Enter 1 to 50 e-mail addresses' }).waitFor()
  await page.getByLabel('E-mail addresses').pressSequentially('ann@example.com\nbob@example.com')
  await page.getByLabel('Closes after').selectOption('Another time')
  await page.getByLabel('How long').fill('two')
  await page.locator('.form-error', { hasText: 'Enter a time of at most 366 days' }).waitFor()
  await page.getByLabel('How long').fill('2')
  await page.getByLabel('Unit of time').selectOption('days')
  await moreOfQuestion(page).click()
  await page.getByLabel('Comment', { exact: true }).selectOption('Optional')
  await page.getByRole('button', { name: 'More about “Reject”' }).click()
  await page.getByLabel('Comment with this button').selectOption('Required')
  await page.getByLabel('Button that approves').selectOption('Reject')
  await page.getByLabel('If the card changes').selectOption('People look again')
  await page.getByLabel('Other API keys may decide too').check()
  await page.getByLabel('Other API keys may decide too').uncheck()

  const stage = preview(page)
  await stage.getByText('Only chosen people can decide').waitFor()
  await page.getByText('may decide', { exact: true }).click()
  await stage.getByText('Closes in 1 day').waitFor()
  await stage.getByRole('button', { name: 'Approve' }).click()
  const sent = page.getByRole('region', { name: 'What would be sent', exact: true })
  await sent.getByText('"state": "decided"').waitFor()
  const edges = await stage.getByRole('article').evaluate(card => {
    const { borderTopWidth, borderBottomWidth } = getComputedStyle(card)
    return [borderTopWidth, borderBottomWidth]
  })
  expect(edges).toEqual(['1px', '1px'])

  const decision = {
    who: ['ann@example.com', 'bob@example.com'],
    expires_in: 172_800,
    comment: 'optional',
    approves: 'reject',
    if_changed: 'refuse',
  }
  expect(await readJson(page)).toMatchObject({
    blocks: [{ type: 'text' }, { decision, buttons: [{ id: 'approve' }, { comment: 'required' }] }],
  })
  await pane(page, 'Blocks')
  await asks.uncheck()
  const plain = JSON.stringify(await readJson(page))
  expect(plain).not.toContain('decision')
  expect(plain).not.toContain('comment')
})

test('a waiting question is changed, and an ended one is asked again', async () => {
  const { channel, id, page } = await openCard(text('Release 2.5.0'), question({}, 'Approve', 'Reject'))
  const decision = async () => {
    const [card] = await cardsOf(channel)
    return card?.blocks[1]?.decision
  }
  await page.getByText('No changes yet').waitFor()
  await openRow(page, 'Buttons')
  await page.getByLabel('Closes after').selectOption('1 hour')
  await page.getByLabel('Who may decide').selectOption('Only the owner')
  await sendChange(page)
  await expect
    .poll(decision)
    .toMatchObject({ state: 'waiting', who: 'owner', expires_at: expect.any(String) })
  // The deadline counts once: the same form has nothing more to send.
  await page.locator('option:checked', { hasText: 'At ' }).waitFor({ state: 'attached' })
  expect(await sendButton(page).isDisabled()).toBe(true)

  const { id: asked } = Object(await decision())
  await session('DELETE', `/channels/${channel}/decisions/${asked}`)
  await openBuilder(page, server, `?channel=${channel}&card=${id}`)
  await preview(page).getByText('No longer needed').waitFor()
  await openRow(page, 'Buttons')
  await moreOfQuestion(page).click()
  await page.getByLabel('Comment', { exact: true }).selectOption('Required')
  await page.getByText('has ended. Turn on “Ask again”.').waitFor()
  await page.getByRole('checkbox', { name: 'Ask again' }).check()
  await sendChange(page)
  await expect.poll(decision).toMatchObject({ state: 'waiting', comment: 'required', expires_at: null })
})

test('a question is one step: typing replaces its sample, and its buttons decide', async () => {
  const { page } = await open('')
  await addBlock(page, 'Question')
  await page.keyboard.type('Roll out 2.6.0?')
  await preview(page).getByText('Roll out 2.6.0?').waitFor()
  await preview(page).getByText('Needs you').waitFor()
  expect(await readJson(page)).toEqual({
    blocks: [
      { type: 'text', id: 'question', content: 'Roll out 2.6.0?', size: 'lg', bold: true },
      expect.objectContaining({ type: 'button', id: 'answers', decision: { approves: 'approve' } }),
    ],
  })
})

test('a question shows what people decide first and what is set, and no choice is cut off', async () => {
  const { page } = await open('')
  await addBlock(page, 'Buttons')
  await page.getByRole('checkbox', { name: 'Ask for a decision' }).check()
  const approves = page.getByLabel('Button that approves')
  expect(await approves.locator('option:checked').textContent()).toBe('Approve')
  expect(await page.getByLabel('Comment', { exact: true }).count()).toBe(0)
  await moreOfQuestion(page).click()
  await page.getByLabel('Comment', { exact: true }).selectOption('Optional')
  for (const width of [1280, 1000, 390, 320]) {
    await page.setViewportSize({ width, height: 900 })
    await approves.waitFor()
    expect({ width, cut: await cutChoices(page) }).toEqual({ width, cut: [] })
  }
  expect(await moreOfQuestion(page).getAttribute('aria-expanded')).toBe('true')
  expect(await readJson(page)).toMatchObject({
    blocks: [{ decision: { approves: 'approve', comment: 'optional' } }],
  })
})

test('the preview of a question for chosen people shows what its viewer would see, and the others', async () => {
  const { page } = await open('')
  await addBlock(page, 'Question')
  await openRow(page, 'Buttons')
  const stage = preview(page)
  await stage.getByText('Needs you').waitFor()
  expect(await page.getByText('As somebody who').count()).toBe(0)
  await page.getByLabel('Who may decide').selectOption('Chosen people')
  await page.getByLabel('E-mail addresses').fill('ann@example.com')
  await stage.getByText('Needs you').waitFor({ state: 'detached' })
  await expect.poll(() => page.getByRole('radio', { name: 'may not' }).isChecked()).toBe(true)
  await page.getByText('Try it.').waitFor({ state: 'detached' })
  await expect.poll(() => stage.getByRole('button', { name: 'Approve' }).isEnabled()).toBe(false)

  await page.getByText('may decide', { exact: true }).click()
  await stage.getByText('Needs you').waitFor()
  await page.getByText('may not', { exact: true }).click()
  await stage.getByText('Needs you').waitFor({ state: 'detached' })
  await page.getByLabel('Who may decide').selectOption('Anyone signed in')
  await stage.getByText('Only signed-in people can decide').waitFor()
  await page.getByLabel('Who may decide').selectOption('Anyone')
  await stage.getByText('Needs you').waitFor()
})

test('in the preview, a question that lists the owner needs them', async () => {
  const { page } = await open('')
  await addBlock(page, 'Question')
  await openRow(page, 'Buttons')
  await page.getByLabel('Who may decide').selectOption('Chosen people')
  await page.getByLabel('E-mail addresses').fill(`ann@example.com ${server.owner.email.toUpperCase()}`)
  await expect.poll(() => page.getByRole('radio', { name: 'may decide' }).isChecked()).toBe(true)
  await preview(page).getByText('Needs you').waitFor()
})

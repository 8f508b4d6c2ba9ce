// Whole example cards to start with. Each is valid.
import type { z } from 'zod'
import type { block } from '../../shared/block.ts'
import type { createCardBody } from '../../shared/card.ts'

export type CardExample = { name: string; about: string } & z.input<typeof createCardBody>

const title = (content: string, size: 'lg' | 'xl' = 'lg') =>
  ({ type: 'text', id: 'title', content, size, bold: true }) as const

const facts = (id: string, pairs: [string, string][]) =>
  ({ type: 'kv', id, rows: pairs.map(([key, value]) => ({ key, value })) }) as const

type Buttons = Extract<z.input<typeof block>, { type: 'button' }>
const buttons = (id: string, ...list: Buttons['buttons']): Buttons => ({ type: 'button', id, buttons: list })

const DECISIONS: CardExample[] = [
  {
    name: 'Deploy approval',
    about: 'A question: the first press decides, and everyone sees who chose what.',
    status: 'pending',
    blocks: [
      title('Release 2.5.0 waits for approval'),
      { type: 'badge', id: 'stage', label: 'Production', variant: 'warning' },
      facts('facts', [
        ['Branch', 'main'],
        ['Commits', '14 by 5 people'],
        ['Changes', 'https://example.com/compare/2.4.3...2.5.0'],
      ]),
      {
        ...buttons(
          'decision',
          { id: 'approve', label: 'Approve' },
          { id: 'reject', label: 'Reject', style: 'danger' },
        ),
        decision: { expires_in: 14_400, who: 'members', approves: 'approve' },
      },
    ],
  },
  {
    name: 'Alert',
    about: 'What is wrong, how bad it is, and what to do about it.',
    status: 'error',
    blocks: [
      title('Error rate above 2 %'),
      { type: 'text', id: 'what', content: 'Checkout in eu-west answers slowly since the last deploy.' },
      facts('numbers', [
        ['Error rate', '3.4 %'],
        ['Latency (p95)', '1.8 s'],
        ['Runbook', 'https://example.com/runbooks/checkout'],
      ]),
      buttons(
        'actions',
        { id: 'ack', label: 'Acknowledge' },
        { id: 'silence', label: 'Silence for an hour', style: 'secondary' },
      ),
    ],
  },
]

const dailyReport = (origin: string): CardExample => ({
  name: 'Daily report',
  about: 'A headline, numbers and a chart. Nothing to do.',
  status: 'success',
  blocks: [
    title('Yesterday in numbers', 'xl'),
    facts('numbers', [
      ['Orders', '1,284 (+6 %)'],
      ['Revenue', '€ 48,210'],
      ['Refunds', '7'],
    ]),
    { type: 'image', id: 'chart', url: `${origin}/example.svg`, alt: 'Orders by hour' },
    { type: 'text', id: 'source', content: 'The nightly job counted these at 06:00.', size: 'sm' },
  ],
})

const FORMS_AND_LOG: CardExample[] = [
  {
    name: 'Form',
    about: 'Fields that people fill in, also offline. A click sends them all.',
    blocks: [
      title('New incident'),
      {
        type: 'input',
        id: 'summary',
        label: 'What happened',
        placeholder: 'In one sentence',
        required: true,
        max_length: 140,
      },
      {
        type: 'select',
        id: 'severity',
        label: 'Severity',
        options: [
          { value: '1', label: 'Everybody is affected' },
          { value: '2', label: 'Some are affected' },
          { value: '3', label: 'Nobody has noticed yet' },
        ],
        required: true,
      },
      { type: 'input', id: 'since', label: 'Since', input_type: 'time' },
      {
        type: 'multiselect',
        id: 'areas',
        label: 'Where',
        options: ['Website', 'App', 'Payments', 'E-mail'],
      },
      { type: 'toggle', id: 'page', label: 'Page the person on call', value: true },
      buttons('buttons', { id: 'open', label: 'Open the incident' }),
    ],
  },
  {
    name: 'Live log',
    about: 'Rows that an automation adds with append_rows while its job runs.',
    status: 'pending',
    blocks: [
      title('Nightly import'),
      { type: 'badge', id: 'state', label: 'Step 3 of 5', variant: 'pending' },
      facts('log', [
        ['02:00:00', 'Started on worker-3'],
        ['02:00:41', '214 files found'],
        ['02:03:07', '96 files read, none failed'],
      ]),
      buttons('buttons', { id: 'stop', label: 'Stop', style: 'secondary', confirm: 'Stop the import?' }),
    ],
  },
  {
    name: 'Poll',
    about: 'Every change is sent at once, without a button.',
    blocks: [
      title('Lunch on Friday?'),
      {
        type: 'select',
        id: 'place',
        label: 'Where',
        options: ['Thai', 'Pizza', 'Salad bar'],
        send_on_change: true,
      },
      { type: 'toggle', id: 'join', label: 'I am in', send_on_change: true },
    ],
  },
]

/** `origin` is the service's own address: it serves the picture of the daily report. */
export const cardExamples = (origin: string): CardExample[] => [
  ...DECISIONS,
  dailyReport(origin),
  ...FORMS_AND_LOG,
]

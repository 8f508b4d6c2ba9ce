// Whole example cards to start with. Each is valid.
import type { z } from 'zod'
import type { createCardBody } from '../../shared/card.ts'

export type CardExample = { name: string; about: string; card: z.input<typeof createCardBody> }

const deployApproval: CardExample = {
  name: 'Deploy approval',
  about: 'Facts, and two buttons that decide. One asks for confirmation.',
  card: {
    status: 'pending',
    blocks: [
      { type: 'text', id: 'title', content: 'Release 2.5.0 waits for approval', size: 'lg', bold: true },
      { type: 'badge', id: 'stage', label: 'Production', variant: 'warning' },
      {
        type: 'kv',
        id: 'facts',
        rows: [
          { key: 'Branch', value: 'main' },
          { key: 'Commits', value: '14 by 5 people' },
          { key: 'Changes', value: 'https://example.com/compare/2.4.3...2.5.0' },
        ],
      },
      {
        type: 'button',
        id: 'decision',
        buttons: [
          { id: 'approve', label: 'Approve' },
          {
            id: 'reject',
            label: 'Reject',
            style: 'danger',
            confirm: 'Reject release 2.5.0?\nThe pipeline stops and must be started again.',
          },
        ],
      },
    ],
  },
}

const alert: CardExample = {
  name: 'Alert',
  about: 'What is wrong, how bad it is, and what to do about it.',
  card: {
    status: 'error',
    blocks: [
      { type: 'text', id: 'title', content: 'Error rate above 2 %', size: 'lg', bold: true },
      { type: 'text', id: 'what', content: 'Checkout in eu-west answers slowly since the last deploy.' },
      {
        type: 'kv',
        id: 'numbers',
        rows: [
          { key: 'Error rate', value: '3.4 %' },
          { key: 'Latency (p95)', value: '1.8 s' },
          { key: 'Runbook', value: 'https://example.com/runbooks/checkout' },
        ],
      },
      {
        type: 'button',
        id: 'actions',
        buttons: [
          { id: 'ack', label: 'Acknowledge' },
          { id: 'silence', label: 'Silence for an hour', style: 'secondary' },
        ],
      },
    ],
  },
}

/** The service serves the picture itself. */
const dailyReport = (origin: string): CardExample => ({
  name: 'Daily report',
  about: 'A headline, numbers and a chart. Nothing to do.',
  card: {
    status: 'success',
    blocks: [
      { type: 'text', id: 'title', content: 'Yesterday in numbers', size: 'xl', bold: true },
      {
        type: 'kv',
        id: 'numbers',
        rows: [
          { key: 'Orders', value: '1,284 (+6 %)' },
          { key: 'Revenue', value: '€ 48,210' },
          { key: 'Refunds', value: '7' },
        ],
      },
      {
        type: 'image',
        id: 'chart',
        url: `${origin}/example.svg`,
        alt: 'Orders by hour',
      },
      { type: 'text', id: 'source', content: 'Made at 06:00 by the nightly job.', size: 'sm' },
    ],
  },
})

const form: CardExample = {
  name: 'Form',
  about: 'Fields that people fill in, also offline. A click sends them all.',
  card: {
    blocks: [
      { type: 'text', id: 'title', content: 'New incident', size: 'lg', bold: true },
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
      { type: 'button', id: 'buttons', buttons: [{ id: 'open', label: 'Open the incident' }] },
    ],
  },
}

const liveLog: CardExample = {
  name: 'Live log',
  about: 'Rows that an automation adds with append_rows while its job runs.',
  card: {
    status: 'pending',
    blocks: [
      { type: 'text', id: 'title', content: 'Nightly import', size: 'lg', bold: true },
      { type: 'badge', id: 'state', label: 'Step 3 of 5', variant: 'pending' },
      {
        type: 'kv',
        id: 'log',
        rows: [
          { key: '02:00:00', value: 'Started on worker-3' },
          { key: '02:00:41', value: '214 files found' },
          { key: '02:03:07', value: '96 files read, none failed' },
        ],
      },
      {
        type: 'button',
        id: 'buttons',
        buttons: [{ id: 'stop', label: 'Stop', style: 'secondary', confirm: 'Stop the import?' }],
      },
    ],
  },
}

const poll: CardExample = {
  name: 'Poll',
  about: 'Every change is sent at once, without a button.',
  card: {
    blocks: [
      { type: 'text', id: 'title', content: 'Lunch on Friday?', size: 'lg', bold: true },
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
}

/** `origin` is the service's own address. */
export const cardExamples = (origin: string): CardExample[] => [
  deployApproval,
  alert,
  dailyReport(origin),
  form,
  liveLog,
  poll,
]

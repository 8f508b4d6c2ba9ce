// Bodies that create channels, workspaces and cards: defaults, limits and errors.
import { describe, expect, test } from 'vitest'
import { createCardBody } from '../../shared/card.ts'
import { createChannelBody } from '../../shared/channel.ts'
import { parse } from '../../shared/invalid.ts'
import { createWorkspaceBody, slugOf } from '../../shared/workspace.ts'
import { messageOf } from '../support/blocks.ts'
import { wrong } from '../support/errors.ts'

const workspace_id = '00000000-0000-4000-8000-000000000001'
const channel = (more: object = {}) => parse(createChannelBody, { name: 'C', workspace_id, ...more })
const URL_RULE = 'must be a valid HTTP or HTTPS URL'

describe('a channel', () => {
  test('a channel has the defaults of the specification', () => {
    expect(channel()).toEqual({
      name: 'C',
      workspace_id,
      description: null,
      mode: 'view',
      icon: '📡',
      webhook_url: null,
      receipts: 'auto',
    })
  })
  test('a channel accepts every field', () => {
    const given = { description: 'D', mode: 'interactive', icon: '🇩🇪', webhook_url: 'http://localhost:1/x?y' }
    expect(channel(given)).toMatchObject(given)
  })
  test('a channel accepts null for nullable fields', () => {
    const given = { description: null, webhook_url: null }
    expect(channel(given)).toMatchObject(given)
  })
  test('a channel trims the name before counting', () => {
    expect(channel({ name: `  ${'x'.repeat(80)}\n` })).toMatchObject({ name: 'x'.repeat(80) })
  })
  test('a channel counts characters', () => {
    const given = { name: '😀'.repeat(80), description: '😀'.repeat(300) }
    expect(channel(given)).toMatchObject(given)
  })
  test.each([
    ...wrong('name', 'is required', undefined, '', ' \t\n'),
    ...wrong('name', 'must be a string', null, 1),
    ...wrong('name', 'must be at most 80 characters', '😀'.repeat(81)),
    ...wrong('workspace_id', 'is required', undefined, ''),
    ...wrong('workspace_id', 'must be a string', 1),
    ...wrong('description', 'must be a string', 1),
    ...wrong('description', 'must be at most 300 characters', '😀'.repeat(301)),
    ...wrong('mode', 'must be one of view, interactive', 'edit', null),
    ...wrong('icon', 'must be a single emoji', 'x', '', '😀😀'),
    ...wrong('icon', 'must be a string', null),
    ...wrong(
      'webhook_url',
      URL_RULE,
      'ftp://a.b',
      'a.b',
      '',
      'http://a b',
      'http://a.b/\n',
      'http://a.b:99999',
    ),
    ...wrong('webhook_url', 'must be a string', 5),
    ...wrong('webhook_url', 'must be at most 2048 characters', `http://a.b/${'x'.repeat(2_048)}`),
  ])('%j is invalid: %s', (more, message) => {
    expect(messageOf(() => channel(more))).toBe(message)
  })
})

describe('a workspace', () => {
  test('a workspace has a building as its default icon', () => {
    expect(parse(createWorkspaceBody, { name: ' W ' })).toEqual({ name: 'W', icon: '🏢' })
  })
  test.each([
    [{}, 'name is required'],
    [{ name: '  ' }, 'name is required'],
    ...wrong('name', 'must be a string', [], null),
    [{ name: 'W', icon: 'ab' }, 'icon must be a single emoji'],
    [{ name: 'W', icon: null }, 'icon must be a string'],
  ])('%j is invalid: %s', (body, message) => {
    expect(messageOf(() => parse(createWorkspaceBody, body))).toBe(message)
  })
  test.each([
    ['My Team', 'my-team'],
    ['  A -- B  ', 'a-b'],
    ['Ärger & Öl', 'arger-ol'],
    ['日本語', 'workspace'],
    ['🚀', 'workspace'],
    ['v2.0', 'v2-0'],
    ['x'.repeat(80), 'x'.repeat(48)],
    [`${'x'.repeat(47)} y`, 'x'.repeat(47)],
  ])('a workspace named %s has the slug %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })
})

describe('a card', () => {
  const text = (id?: unknown) => ({ type: 'text', content: 'x', ...(id !== undefined && { id }) })
  const refusal = (body: unknown) => messageOf(() => parse(createCardBody, body))
  const count = 'blocks must have 1 to 100 items'

  test.each(['default', 'success', 'warning', 'error', 'pending'])(
    'a card may have the status %s',
    status => {
      expect(parse(createCardBody, { blocks: [text()], status }).status).toBe(status)
    },
  )
  test('a card without a status has the status default', () => {
    expect(parse(createCardBody, { blocks: [text()] }).status).toBe('default')
  })
  test('a card may have 100 blocks', () => {
    expect(refusal({ blocks: Array.from({ length: 100 }, () => text()) })).toBeNull()
  })
  test('a card may have a block and a button with the same id', () => {
    expect(refusal({ blocks: [{ type: 'button', id: 'a', buttons: [{ id: 'a', label: 'x' }] }] })).toBeNull()
  })
  const button = (...ids: string[]) => ({ type: 'button', buttons: ids.map(id => ({ id, label: 'x' })) })
  const cases = (message: string, ...bodies: unknown[]): [unknown, string][] =>
    bodies.map(body => [body, message])
  test.each([
    ...cases('blocks are required', {}, { status: 'success' }),
    ...cases('blocks must be an array', { blocks: null }, { blocks: 'x' }, { blocks: { length: 1 } }),
    ...cases(count, { blocks: [] }),
    ...wrong('status', 'must be one of default, success, warning, error, pending', null, 'DEFAULT').map(
      ([body, message]): [unknown, string] => [{ blocks: [text()], ...body }, message],
    ),
    ...cases('blocks[2].id must be unique in the card', { blocks: [text('a'), text('b'), text('a')] }),
    ...cases('blocks[2].label must be a string', { blocks: [text(), text(), { type: 'badge', label: 1 }] }),
    ...cases('blocks[0].buttons[1].id must be unique in the card', { blocks: [button('a', 'a')] }),
    ...cases('blocks[1].buttons[0].id must be unique in the card', { blocks: [button('a'), button('a')] }),
  ])('%j is invalid: %s', (body, message) => {
    expect(refusal(body)).toBe(message)
  })
  test('a card of 101 blocks is invalid', () => {
    expect(refusal({ blocks: Array.from({ length: 101 }, () => text()) })).toBe(count)
  })
})

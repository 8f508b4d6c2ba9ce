// Bodies that create channels, workspaces and cards: defaults, limits and errors.
import { describe, expect, test } from 'vitest'
import { createCardBody } from '../../shared/card.ts'
import { createChannelBody } from '../../shared/channel.ts'
import { parse } from '../../shared/invalid.ts'
import { createWorkspaceBody, slugOf } from '../../shared/workspace.ts'
import { messageOf } from '../support/blocks.ts'

const workspace_id = '00000000-0000-4000-8000-000000000001'
const channel = (more: object = {}) => parse(createChannelBody, { name: 'C', workspace_id, ...more })
const channelRefusal = (more: object) => messageOf(() => channel(more))
const URL_RULE = 'webhook_url must be a valid HTTP or HTTPS URL'

describe('a channel', () => {
  test('has the defaults of the specification', () => {
    expect(channel()).toEqual({
      name: 'C',
      workspace_id,
      description: null,
      mode: 'view',
      icon: '📡',
      webhook_url: null,
    })
  })
  test('accepts every field', () => {
    const given = { description: 'D', mode: 'interactive', icon: '🇩🇪', webhook_url: 'http://localhost:1/x?y' }
    expect(channel(given)).toMatchObject(given)
  })
  test('accepts null for nullable fields', () => {
    const given = { description: null, webhook_url: null }
    expect(channel(given)).toMatchObject(given)
  })
  test('trims the name before counting', () => {
    expect(channel({ name: `  ${'x'.repeat(80)}\n` })).toMatchObject({ name: 'x'.repeat(80) })
  })
  test('counts characters', () => {
    const given = { name: '😀'.repeat(80), description: '😀'.repeat(300) }
    expect(channel(given)).toMatchObject(given)
  })
  test.each([
    [{ name: undefined }, 'name is required'],
    [{ name: '' }, 'name is required'],
    [{ name: ' \t\n' }, 'name is required'],
    [{ name: null }, 'name must be a string'],
    [{ name: 1 }, 'name must be a string'],
    [{ name: '😀'.repeat(81) }, 'name must be at most 80 characters'],
    [{ workspace_id: undefined }, 'workspace_id is required'],
    [{ workspace_id: '' }, 'workspace_id is required'],
    [{ workspace_id: 1 }, 'workspace_id must be a string'],
    [{ description: 1 }, 'description must be a string'],
    [{ description: '😀'.repeat(301) }, 'description must be at most 300 characters'],
    [{ mode: 'edit' }, 'mode must be one of view, interactive'],
    [{ mode: null }, 'mode must be one of view, interactive'],
    [{ icon: 'x' }, 'icon must be a single emoji'],
    [{ icon: '' }, 'icon must be a single emoji'],
    [{ icon: '😀😀' }, 'icon must be a single emoji'],
    [{ icon: null }, 'icon must be a string'],
    [{ webhook_url: 'ftp://a.b' }, URL_RULE],
    [{ webhook_url: 'a.b' }, URL_RULE],
    [{ webhook_url: '' }, URL_RULE],
    [{ webhook_url: 'http://a b' }, URL_RULE],
    [{ webhook_url: 'http://a.b/\n' }, URL_RULE],
    [{ webhook_url: 'http://a.b:99999' }, URL_RULE],
    [{ webhook_url: 5 }, 'webhook_url must be a string'],
    [{ webhook_url: `http://a.b/${'x'.repeat(2_048)}` }, 'webhook_url must be at most 2048 characters'],
  ])('%j is invalid: %s', (more, message) => {
    expect(channelRefusal(more)).toBe(message)
  })
})

describe('a workspace', () => {
  test('has a building as its default icon', () => {
    expect(parse(createWorkspaceBody, { name: ' W ' })).toEqual({ name: 'W', icon: '🏢' })
  })
  test.each([
    [{}, 'name is required'],
    [{ name: '  ' }, 'name is required'],
    [{ name: [] }, 'name must be a string'],
    [{ name: 'W', icon: 'ab' }, 'icon must be a single emoji'],
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
  ])('named %s has the slug %s', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })
})

describe('a card', () => {
  const text = (id?: unknown) => ({ type: 'text', content: 'x', ...(id !== undefined && { id }) })
  const refusal = (body: unknown) => messageOf(() => parse(createCardBody, body))
  const count = 'blocks must have 1 to 100 items'

  test.each(['default', 'success', 'warning', 'error', 'pending'])('may have the status %s', status => {
    expect(parse(createCardBody, { blocks: [text()], status }).status).toBe(status)
  })
  test('without a status has the status default', () => {
    expect(parse(createCardBody, { blocks: [text()] }).status).toBe('default')
  })
  test('may have 100 blocks', () => {
    expect(refusal({ blocks: Array.from({ length: 100 }, () => text()) })).toBeNull()
  })
  test('may have a block and a button with the same id', () => {
    expect(refusal({ blocks: [{ type: 'button', id: 'a', buttons: [{ id: 'a', label: 'x' }] }] })).toBeNull()
  })
  test.each<[unknown, string]>([
    [{}, 'blocks are required'],
    [{ status: 'success' }, 'blocks are required'],
    [{ blocks: null }, 'blocks must be an array'],
    [{ blocks: 'x' }, 'blocks must be an array'],
    [{ blocks: { length: 1 } }, 'blocks must be an array'],
    [{ blocks: [] }, count],
    [{ blocks: [text()], status: null }, 'status must be one of default, success, warning, error, pending'],
    [
      { blocks: [text()], status: 'DEFAULT' },
      'status must be one of default, success, warning, error, pending',
    ],
    [{ blocks: [text('a'), text('b'), text('a')] }, 'blocks[2].id must be unique in the card'],
    [{ blocks: [text(), text(), { type: 'badge', label: 1 }] }, 'blocks[2].label must be a string'],
    [
      {
        blocks: [
          {
            type: 'button',
            buttons: [
              { id: 'a', label: 'x' },
              { id: 'a', label: 'y' },
            ],
          },
        ],
      },
      'blocks[0].buttons[1].id must be unique in the card',
    ],
    [
      {
        blocks: [
          { type: 'button', buttons: [{ id: 'a', label: 'x' }] },
          { type: 'button', buttons: [{ id: 'a', label: 'y' }] },
        ],
      },
      'blocks[1].buttons[0].id must be unique in the card',
    ],
  ])('%j is invalid: %s', (body, message) => {
    expect(refusal(body)).toBe(message)
  })
  test('of 101 blocks is invalid', () => {
    expect(refusal({ blocks: Array.from({ length: 101 }, () => text()) })).toBe(count)
  })
})

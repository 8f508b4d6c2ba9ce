// People who answer what tools ask, and raw requests of the Model Context Protocol.
import { z } from 'zod'
import type { Card } from '../../shared/card.ts'
import type { FullDecision } from '../../shared/decision.ts'
import { type ToolResult, toolResult } from './mcp-clients.ts'
import type { Scene } from './scene.ts'
import type { TestService } from './service.ts'
import { until } from './viewer.ts'

/** The handle of the question for which the only open call waits. */
export async function awaitedHandle({ waits }: Pick<TestService, 'waits'>): Promise<string> {
  await until(() => waits.open.length === 1, 'one call waits')
  const [wait] = waits.open
  return `${wait?.channel_id}/${wait?.decision_id}`
}

/** A person presses a button of the question. `more`: further fields of the request. */
export async function pressAnswer(
  { account, interact }: Scene,
  handle: string,
  button_id: string,
  { trigger, ...more }: { trigger?: object; values?: object } = {},
): Promise<void> {
  const [channel_id, decision_id] = handle.split('/')
  const channel = `/channels/${channel_id}`
  const { body: decision } = await account.key<FullDecision>('GET', `${channel}/decisions/${decision_id}`)
  const { card_id } = decision
  const { body: card } = await account.key<Card>('GET', `${channel}/cards/${card_id}`)
  const press = { type: 'button_click', button_id, decision_id, ...trigger }
  const { status, body } = await interact({ card_id, seen: card.updated_at, trigger: press, ...more })
  if (status !== 201) throw new Error(`the press returned ${status}: ${JSON.stringify(body)}`)
}

export const ERAS = ['2026-07-28', '2025-11-25'] as const
const [ERA] = ERAS
const META = {
  'io.modelcontextprotocol/protocolVersion': ERA,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

type McpRequest = { method: string; params?: { name?: string; _meta?: object; [name: string]: unknown } }
type McpInit = { era?: (typeof ERAS)[number]; headers?: Record<string, string>; signal?: AbortSignal }

/** A request as hosts send it. `url`: of the endpoint. `api_key`: null for a request without one. */
export function postMcp(
  url: string,
  api_key: string | null,
  { method, params = {} }: McpRequest,
  { era = ERA, headers, signal }: McpInit = {},
): Promise<Response> {
  const isNew = era === ERA
  return fetch(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': era,
      ...(isNew && { 'Mcp-Method': method }),
      ...(isNew && params.name !== undefined && { 'Mcp-Name': params.name }),
      ...(api_key !== null && { Authorization: `Bearer ${api_key}` }),
      ...headers,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { ...params, ...(isNew && { _meta: { ...META, ...params._meta } }) },
    }),
    signal,
  })
}

/** The result of a call, the last message of its event stream. */
export async function resultIn(response: Response): Promise<ToolResult> {
  const messages = [...(await response.text()).matchAll(/^data: (.*)$/gm)]
  const [, json = ''] = messages.at(-1) ?? []
  const { result } = z.object({ result: toolResult }).parse(JSON.parse(json))
  return result
}

// What posters ask of the service, and the HTTP request for each.
import { type Act, actBody } from '../model/acts.ts'
import { blocksOf, newContents, patchOf } from '../model/cards.ts'
import {
  type Abandon,
  agentBody,
  askBlock,
  type Press,
  personBody,
  QUESTION_BLOCK,
} from '../model/questions.ts'
import { type Refused, refusedBody } from '../model/refusals.ts'
import type { Write } from '../model/world.ts'
import { keyOf, type Scene } from './scene.ts'

/** A change that the log of cards doesn't show. Its value carries the operation's id. */
export type Setting =
  | { kind: 'head'; op: string }
  | { kind: 'webhook'; op: string; url: string }
  | { kind: 'attribute'; op: string; name: string }
  | { kind: 'add action'; op: string }
  | { kind: 'remove action'; op: string; action_id: string; label: string }
  | { kind: 'create channel'; op: string }
  | { kind: 'delete channel'; op: string; target_id: string; name: string }

export type Request =
  | (Write & { idempotent?: boolean })
  | Refused
  | Act
  | Press
  | Setting
  | { kind: 'get'; op: string; card_id: string }
  | { kind: 'get key'; op: string; key: string }
  | { kind: 'list'; op: string; limit: number }
  /** `etag`: of the last answer, if there was one. */
  | { kind: 'page'; op: string; page: number; etag?: string }
  | { kind: 'redeliver'; op: string; interaction_id: string }
  | { kind: 'withdraw' | 'read decision'; op: string; decision_id: string }
  | { kind: 'reopen'; op: string; card_id: string }
  | { kind: 'abandon'; op: string; card_id: string; abandon: Abandon }
  | { kind: 'list decisions'; op: string }
  | { kind: 'rotate'; op: string }

export type HttpRequest = {
  method: string
  path: string
  headers: Record<string, string>
  body?: unknown
}

export function httpOf(request: Request, channel_id: string, scene: Scene): HttpRequest {
  const key = { Authorization: `Bearer ${keyOf(scene, channel_id)}` }
  const session = { Cookie: scene.cookie }
  const channel = `/api/v1/channels/${channel_id}`
  const { op } = request
  switch (request.kind) {
    case 'post':
    case 'put':
    case 'patch':
    case 'delete': {
      const headers = { ...key, ...(request.idempotent && { 'Idempotency-Key': op }) }
      return { ...writeOf(request, channel), headers }
    }
    case 'refused':
      return refusedRequest(request, channel, key)
    case 'get':
      return { method: 'GET', path: `${channel}/cards/${request.card_id}`, headers: key }
    case 'get key':
      return { method: 'GET', path: `${channel}/cards/by-key/${request.key}`, headers: key }
    case 'list':
      return { method: 'GET', path: `${channel}/cards?limit=${request.limit}`, headers: key }
    case 'page': {
      const headers = { ...(request.etag !== undefined && { 'If-None-Match': request.etag }) }
      return { method: 'GET', path: `/api/channels/${channel_id}/pages/${request.page}`, headers }
    }
    case 'interact': {
      const path = `/api/channels/${channel_id}/interactions`
      return { method: 'POST', path, headers: {}, body: actBody(request) }
    }
    case 'redeliver': {
      const path = `/api/channels/${channel_id}/interactions/${request.interaction_id}/redeliver`
      return { method: 'POST', path, headers: session }
    }
    case 'rotate':
      return { method: 'POST', path: `/api/channels/${channel_id}/webhook-secret`, headers: session }
    case 'press':
      return pressOf(request, channel_id, scene)
    case 'withdraw':
      return { method: 'DELETE', path: `${channel}/decisions/${request.decision_id}`, headers: key }
    case 'read decision':
      return { method: 'GET', path: `${channel}/decisions/${request.decision_id}`, headers: key }
    case 'list decisions':
      return { method: 'GET', path: `${channel}/decisions?limit=200`, headers: key }
    case 'abandon':
    case 'reopen': {
      const decision =
        request.kind === 'abandon' ? { abandon: request.abandon } : { reopen: true, expires_at: null }
      const patch = { decision }
      const body = { blocks: [{ id: QUESTION_BLOCK, patch }] }
      return { method: 'PATCH', path: `${channel}/cards/${request.card_id}`, headers: key, body }
    }
    default:
      return settingOf(request, channel_id, scene)
  }
}

function pressOf(request: Press, channel_id: string, scene: Scene): HttpRequest {
  if (request.by === 'anonymous' || request.by === 'owner') {
    const headers = { ...(request.by === 'owner' && { Cookie: scene.cookie }) }
    const path = `/api/channels/${channel_id}/interactions`
    return { method: 'POST', path, headers, body: personBody(request) }
  }
  const key = request.by === 'asker' ? keyOf(scene, channel_id) : scene.agent_key
  const path = `/api/v1/channels/${channel_id}/decisions/${request.decision_id}`
  return { method: 'POST', path, headers: { Authorization: `Bearer ${key}` }, body: agentBody(request) }
}

function writeOf(request: Write, channel: string) {
  const large = request.kind === 'put' && request.large
  const blocks = blocksOf(newContents(request.op, { large }))
  switch (request.kind) {
    case 'post': {
      const { status, question } = request
      const body = { status, blocks: question ? [...blocks, askBlock(question)] : blocks }
      return { method: 'POST', path: `${channel}/cards`, body }
    }
    case 'put':
      return { method: 'PUT', path: `${channel}/cards/by-key/${request.key}`, body: { blocks } }
    case 'patch':
      return { method: 'PATCH', path: `${channel}/cards/${request.card_id}`, body: patchOf(request) }
    case 'delete':
      return { method: 'DELETE', path: `${channel}/cards/${request.card_id}` }
  }
}

function refusedRequest(request: Refused, channel: string, key: Record<string, string>): HttpRequest {
  const body = refusedBody(request)
  switch (request.how) {
    case 'no blocks':
      return { method: 'PUT', path: `${channel}/cards/by-key/${request.key}`, headers: key, body }
    case 'used key': {
      const headers = { ...key, 'Idempotency-Key': request.used_key }
      return { method: 'POST', path: `${channel}/cards`, headers, body }
    }
    default:
      return { method: 'PATCH', path: `${channel}/cards/${request.card_id}`, headers: key, body }
  }
}

function settingOf(request: Setting, channel_id: string, scene: Scene): HttpRequest {
  const headers = { Authorization: `Bearer ${keyOf(scene, channel_id)}` }
  const channel = `/api/v1/channels/${channel_id}`
  const { op } = request
  switch (request.kind) {
    case 'head':
      return { method: 'PATCH', path: channel, headers, body: { description: op } }
    case 'webhook':
      return { method: 'PATCH', path: channel, headers, body: { webhook_url: request.url } }
    case 'attribute':
      return { method: 'PUT', path: `${channel}/attributes`, headers, body: { [request.name]: op } }
    case 'add action':
      return { method: 'POST', path: `${channel}/actions`, headers, body: { label: op } }
    case 'remove action': {
      const path = `/api/channels/${channel_id}/actions/${request.action_id}`
      return { method: 'DELETE', path, headers: { Cookie: scene.cookie } }
    }
    case 'create channel': {
      const body = { name: op, workspace_id: scene.workspace_id }
      return { method: 'POST', path: '/api/v1/channels', headers, body }
    }
    case 'delete channel':
      return { method: 'DELETE', path: `/api/v1/channels/${request.target_id}`, headers }
  }
}

// The client for automations and for the dashboard. Types come from the schemas in shared/.
import type { z } from 'zod'
import type { CreatedChannel, createChannelBody, ListedChannel } from '../shared/channel.ts'
import { newUuid } from '../shared/characters.ts'
import type { ListedWorkspace } from '../shared/workspace.ts'
import { ChannelHandle } from './channel.ts'
import { DecisionHandle } from './decision.ts'
import type { Method } from './http.ts'
import {
  type ClientOptions,
  fromEnvironment,
  invalidInput,
  type Once,
  query,
  Requester,
  type RequestOptions,
} from './requester.ts'

export class ChannelFeed {
  readonly #requester: Requester

  constructor(options: ClientOptions = {}) {
    this.#requester = new Requester(options)
  }

  /** For operations without a method. */
  request<T>(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    return this.#requester.request(method, path, body, options)
  }

  workspaces(): Promise<ListedWorkspace[]> {
    return this.request('GET', '/workspaces')
  }

  channels(workspaceId: string): Promise<ListedChannel[]> {
    return this.request('GET', `/channels${query({ workspace_id: workspaceId })}`)
  }

  createChannel(
    body: z.input<typeof createChannelBody>,
    { idempotency_key = newUuid() }: Once = {},
  ): Promise<CreatedChannel> {
    return this.request('POST', '/channels', body, { idempotency_key })
  }

  /** Default: the channel `CHANNEL_FEED_CHANNEL`. */
  channel(id = fromEnvironment('CHANNEL_FEED_CHANNEL')): ChannelHandle {
    if (!id) throw invalidInput('channel', 'is required: name it, or set CHANNEL_FEED_CHANNEL')
    return new ChannelHandle(this.#requester, id)
  }

  /** `handle`: `{channel_id}/{decision_id}`, as questions and their errors carry it. */
  decision(handle: string): DecisionHandle {
    return new DecisionHandle(this.#requester, handle)
  }
}

// The requests of the service. The dashboard uses them too, so what only programs need is in channel-feed.ts.
import type { z } from 'zod'
import type { CreatedChannel, createChannelBody, ListedChannel } from '../shared/channel.ts'
import { newUuid } from '../shared/characters.ts'
import type { ListedWorkspace } from '../shared/workspace.ts'
import { ChannelRequests } from './channel-requests.ts'
import type { Method } from './http.ts'
import { type ClientOptions, type Once, query, Requester, type RequestOptions } from './requester.ts'

export class ServiceRequests {
  protected readonly requester: Requester

  constructor(options: ClientOptions = {}) {
    this.requester = new Requester(options)
  }

  /** For operations without a method. */
  request<T>(method: Method, path: string, body?: unknown, options?: RequestOptions): Promise<T> {
    return this.requester.request(method, path, body, options)
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

  channel(id: string): ChannelRequests {
    return new ChannelRequests(this.requester, id)
  }
}

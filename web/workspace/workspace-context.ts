// The open workspace, for the components of its page.
import type { ViewedWorkspace } from '../../shared/workspace-live.ts'
import { createRequiredContext } from '../lib/required-context.ts'
import type { ChannelChoice } from './channel-choice.ts'
import type { ChannelSearch } from './channel-search.ts'
import type { WorkspaceView } from './workspace-view.ts'

export type WorkspaceState = {
  view: Pick<
    WorkspaceView,
    'link' | 'feed' | 'setFeed' | 'lastUpdatedAt' | 'cardCount' | 'summary' | 'unread'
  >
  page: () => ViewedWorkspace
  search: Omit<ChannelSearch, 'values' | 'setValues' | 'query'>
  choice: Pick<ChannelChoice, 'id' | 'channel' | 'pathTo' | 'choose' | 'message'>
  /** A picture of the page: it scrolls nothing, and its tiles have no feeds. */
  still?: boolean
}

export const [WorkspaceContext, useWorkspace] = createRequiredContext<WorkspaceState>('WorkspaceContext')

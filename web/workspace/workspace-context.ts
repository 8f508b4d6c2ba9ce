// The open workspace, for the components of its page.
import type { ViewedWorkspace } from '../../shared/workspace-live.ts'
import { createRequiredContext } from '../lib/required-context.ts'
import type { ChannelChoice } from './channel-choice.ts'
import type { ChannelSearch } from './channel-search.ts'
import type { WorkspaceView } from './workspace-view.ts'

export const [WorkspaceContext, useWorkspace] = createRequiredContext<{
  view: WorkspaceView
  page: () => ViewedWorkspace
  search: ChannelSearch
  choice: ChannelChoice
}>('WorkspaceContext')

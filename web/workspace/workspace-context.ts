// The open workspace, for the components of its page.
import { createContext, useContext } from 'solid-js'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import type { ChannelChoice } from './channel-choice.ts'
import type { ChannelSearch } from './channel-search.ts'
import type { WorkspaceView } from './workspace-view.ts'

export type OpenWorkspace = {
  view: WorkspaceView
  page: () => WorkspacePage
  search: ChannelSearch
  choice: ChannelChoice
}

export const WorkspaceContext = createContext<OpenWorkspace>()

export function useWorkspace(): OpenWorkspace {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('useWorkspace needs a WorkspaceContext around it')
  return workspace
}

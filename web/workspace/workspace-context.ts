// The workspace that the page shows, for the components below it.
import { createContext, useContext } from 'solid-js'
import type { WorkspacePage } from '../../shared/workspace-live.ts'
import type { ChannelChoice } from './channel-choice.ts'
import type { ChannelSearch } from './channel-search.ts'
import type { WorkspaceView } from './workspace-view.ts'

export type OpenWorkspace = {
  view: WorkspaceView
  /** What is shown of it: there is always something below the page. */
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

// Workspaces: read only, so that a script can find where its channels go. The rest is the dashboard's.
import { z } from 'zod'
import { listedWorkspace } from '../../shared/workspace.ts'
import { unauthorized } from '../errors.ts'
import { CREATED_AT, WORKSPACE_ID } from './examples.ts'
import type { Operation, Tag } from './operation.ts'

export const workspacesTag: Tag = {
  name: 'Workspaces',
  description: 'Channels are grouped in workspaces. They are made and changed in the dashboard.',
}

export const workspaceOperations: Operation[] = [
  {
    method: 'get',
    path: '/workspaces',
    operationId: 'listWorkspaces',
    tag: workspacesTag.name,
    summary: 'List the workspaces',
    description: 'Those of the key’s owner; a key that is confined to a workspace sees only that one.',
    need: 'read',
    parameters: [],
    answers: {
      200: {
        description: 'The workspaces.',
        content: {
          schema: z.array(listedWorkspace),
          examples: {
            workspaces: {
              summary: 'One workspace',
              value: [
                {
                  id: WORKSPACE_ID,
                  name: 'Platform team',
                  slug: 'platform-team',
                  custom_slug: null,
                  icon: '🏢',
                  visibility: 'private',
                  layout: 'sidebar',
                  show_search: true,
                  created_at: CREATED_AT,
                },
              ],
            },
          },
        },
      },
    },
    refusals: [unauthorized()],
  },
]

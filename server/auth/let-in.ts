// Turns a decision into an answer: lets a viewer in, or throws what the contract says.
import { accessDenied, passwordRequired, unauthorized } from '../errors.ts'
import { decideView, type Place, type Viewer } from './access.ts'

export function letIn(place: Place, viewer: Viewer): { can_edit: boolean } {
  const decision = decideView(place, viewer)
  if (!decision.refused) return { can_edit: decision.can_edit }
  switch (decision.reason) {
    case 'Password required':
      throw passwordRequired(place.workspace_id)
    case 'Unauthorized':
      throw unauthorized()
    case 'Access denied':
      throw accessDenied()
  }
}

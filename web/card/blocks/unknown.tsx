// A block of a type that this version of the app doesn't know. A reload loads the current version.
import { LinkButton } from '../../ui/button.tsx'
import { IconWarning } from '../../ui/icons.tsx'
import './unshown.css'

export function UnknownBlock() {
  return (
    <div class="unshown">
      <IconWarning />
      <span>This version can’t show this block.</span>
      <LinkButton onClick={() => location.reload()}>Reload</LinkButton>
    </div>
  )
}

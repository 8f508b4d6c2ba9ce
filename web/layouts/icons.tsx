// The icons that only a workspace's page has.
import { Icon } from '../ui/icons.tsx'

export const IconOpen = () => (
  <Icon>
    <path d="M9 2.5h4.5V7M13.25 2.75 8 8M12 9.5v3a1 1 0 0 1-1 1H3.5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h3" />
  </Icon>
)

export const IconBack = () => (
  <Icon>
    <path d="M10 3.5 5.5 8l4.5 4.5" />
  </Icon>
)

// Icons for the status of interactions.
import { Icon } from '../ui/icons.tsx'

export const IconCheck = () => (
  <Icon>
    <path d="m3 8.5 3.25 3.25L13 5" />
  </Icon>
)

export const IconClock = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M8 4.75V8l2.25 1.5" />
  </Icon>
)

export const IconWarning = () => (
  <Icon>
    <path d="M8 2.25 14.25 13H1.75L8 2.25ZM8 6.5v3M8 11.25v.01" />
  </Icon>
)

export const IconSend = () => (
  <Icon>
    <path d="M2.5 8h8M7 3.75 11.25 8 7 12.25" transform="translate(1 0)" />
  </Icon>
)

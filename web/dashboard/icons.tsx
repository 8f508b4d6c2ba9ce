// The icons that only the dashboard has.
import { Icon } from '../shell/icons.tsx'

export const IconSettings = () => (
  <Icon>
    <path d="M2 4.5h6.5M12.5 4.5H14M2 11.5h1.5M7.5 11.5H14" />
    <circle cx="10.5" cy="4.5" r="1.9" />
    <circle cx="5.5" cy="11.5" r="1.9" />
  </Icon>
)

export const IconLog = () => (
  <Icon>
    <path d="M5.5 4H14M5.5 8H14M5.5 12H14M2.25 4h.01M2.25 8h.01M2.25 12h.01" />
  </Icon>
)

export const IconChevron = () => (
  <Icon>
    <path d="m6 3.5 4.5 4.5L6 12.5" />
  </Icon>
)

export const IconCheck = () => (
  <Icon>
    <path d="m3 8.5 3.25 3.25L13 5" />
  </Icon>
)

export const IconKey = () => (
  <Icon>
    <circle cx="5" cy="11" r="2.75" />
    <path d="m7 9 6-6M11 5l1.75 1.75" />
  </Icon>
)

// The icons that only the dashboard has.
import { Icon } from './icons.tsx'

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

export const IconGrip = () => (
  <Icon>
    <path d="M6 3.75h.01M10 3.75h.01M6 8h.01M10 8h.01M6 12.25h.01M10 12.25h.01" />
  </Icon>
)

export const IconUp = () => (
  <Icon>
    <path d="M8 12.5v-9M4.5 7 8 3.5 11.5 7" />
  </Icon>
)

export const IconDown = () => (
  <Icon>
    <path d="M8 3.5v9M4.5 9 8 12.5 11.5 9" />
  </Icon>
)

export const IconTrash = () => (
  <Icon>
    <path d="M2.75 4.5h10.5M6.25 4.5V2.75h3.5V4.5M4 4.5l.6 8.75h6.8L12 4.5M6.75 7v3.75M9.25 7v3.75" />
  </Icon>
)

export const IconPencil = () => (
  <Icon>
    <path d="m3 13 .6-2.9 7.3-7.3a1.4 1.4 0 0 1 2 0l.3.3a1.4 1.4 0 0 1 0 2L5.9 12.4 3 13ZM9.5 4.25l2.25 2.25" />
  </Icon>
)

export const IconSmile = () => (
  <Icon>
    <circle cx="8" cy="8" r="5.75" />
    <path d="M5.75 9.5c1 1.6 3.5 1.6 4.5 0M6 6.25h.01M10 6.25h.01" />
  </Icon>
)

export const IconPhone = () => (
  <Icon>
    <rect x="4.25" y="1.5" width="7.5" height="13" rx="1.75" />
    <path d="M7.25 12h1.5" />
  </Icon>
)

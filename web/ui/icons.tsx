// The few icons the app has, drawn in the colour of the text around them.
import type { JSX } from 'solid-js'

export function Icon(props: { children: JSX.Element }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {props.children}
    </svg>
  )
}

export const IconArrowUp = () => (
  <Icon>
    <path d="M8 13V3M3.5 7.5 8 3l4.5 4.5" />
  </Icon>
)

export const IconImage = () => (
  <Icon>
    <rect x="2" y="2.5" width="12" height="11" rx="2" />
    <circle cx="5.75" cy="6.25" r="1" />
    <path d="m2.5 12 3.6-3.4 2.4 2.2L11 8l3 3" />
  </Icon>
)

export const IconSun = () => (
  <Icon>
    <circle cx="8" cy="8" r="2.75" />
    <path d="M8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1" />
  </Icon>
)

export const IconMoon = () => (
  <Icon>
    <path d="M13.5 9.4A5.75 5.75 0 1 1 6.6 2.5a4.6 4.6 0 0 0 6.9 6.9Z" />
  </Icon>
)

export const IconSystem = () => (
  <Icon>
    <rect x="2" y="2.5" width="12" height="8.5" rx="1.5" />
    <path d="M6 13.5h4" />
  </Icon>
)

export const IconLock = () => (
  <Icon>
    <rect x="3" y="7" width="10" height="6.5" rx="1.5" />
    <path d="M5.25 7V5a2.75 2.75 0 0 1 5.5 0v2" />
  </Icon>
)

export const IconSearch = () => (
  <Icon>
    <circle cx="7" cy="7" r="4.25" />
    <path d="m10.25 10.25 3.25 3.25" />
  </Icon>
)

export const IconFeed = () => (
  <Icon>
    <rect x="2" y="2.5" width="12" height="4.5" rx="1.25" />
    <rect x="2" y="9.5" width="12" height="4" rx="1.25" />
  </Icon>
)

export const IconCloudOff = () => (
  <Icon>
    <path d="M6.2 4A3.8 3.8 0 0 1 12 7a2.6 2.6 0 0 1 1.5 4.4M10.5 12.5h-6a2.9 2.9 0 0 1-.4-5.75M2.5 2.5l11 11" />
  </Icon>
)

// The icons of the first load, drawn in the colour of the surrounding text. page-icons.tsx has the others.
// `icon icon-flip` points along the line, so it turns around where text runs from right to left.
import type { Component } from 'solid-js'

export const icon =
  (path: string, className = 'icon'): Component =>
  () => (
    <svg
      class={className}
      viewBox="0 0 16 16"
      width="16"
      height="16"
      fill="none"
      stroke="currentColor"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      {/* On the picture itself, WebKit would apply the zoom of the page twice. */}
      <path d={path} stroke-width="1.5" />
    </svg>
  )

export const IconArrowUp = icon('M8 13V3M3.5 7.5 8 3l4.5 4.5')
export const IconCheck = icon('m3 8.5 3.25 3.25L13 5')
export const IconClock = icon('M2.25 8a5.75 5.75 0 1 1 11.5 0 5.75 5.75 0 1 1-11.5 0ZM8 4.75V8l2.25 1.5')
export const IconCloudOff = icon(
  'M6.2 4A3.8 3.8 0 0 1 12 7a2.6 2.6 0 0 1 1.5 4.4M10.5 12.5h-6a2.9 2.9 0 0 1-.4-5.75M2.5 2.5l11 11',
)
export const IconEye = icon(
  'M1.75 8C3 5.25 5.25 3.75 8 3.75S13 5.25 14.25 8C13 10.75 10.75 12.25 8 12.25S3 10.75 1.75 8ZM6.1 8a1.9 1.9 0 1 0 3.8 0 1.9 1.9 0 1 0-3.8 0Z',
)
export const IconImage = icon(
  'M4 2.5h8a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H4a2 2 0 0 1-2-2v-7a2 2 0 0 1 2-2ZM4.75 6.25a1 1 0 1 1 2 0 1 1 0 1 1-2 0ZM2.5 12l3.6-3.4 2.4 2.2L11 8l3 3',
)
export const IconLock = icon(
  'M4.5 7h7A1.5 1.5 0 0 1 13 8.5V12a1.5 1.5 0 0 1-1.5 1.5h-7A1.5 1.5 0 0 1 3 12V8.5A1.5 1.5 0 0 1 4.5 7ZM5.25 7V5a2.75 2.75 0 0 1 5.5 0v2',
)
export const IconMoon = icon('M13.5 9.4A5.75 5.75 0 1 1 6.6 2.5a4.6 4.6 0 0 0 6.9 6.9Z')
export const IconMore = icon(
  'M2.9 8a.6.6 0 1 1 1.2 0 .6.6 0 1 1-1.2 0ZM7.4 8a.6.6 0 1 1 1.2 0 .6.6 0 1 1-1.2 0ZM11.9 8a.6.6 0 1 1 1.2 0 .6.6 0 1 1-1.2 0Z',
)
export const IconSearch = icon('M2.75 7a4.25 4.25 0 1 1 8.5 0 4.25 4.25 0 1 1-8.5 0ZM10.25 10.25l3.25 3.25')
export const IconSend = icon('M8 13V3M3.5 7.5 8 3l4.5 4.5')
export const IconSun = icon(
  'M5.25 8a2.75 2.75 0 1 1 5.5 0 2.75 2.75 0 1 1-5.5 0ZM8 1.5V3M8 13v1.5M1.5 8H3M13 8h1.5M3.4 3.4l1.1 1.1M11.5 11.5l1.1 1.1M12.6 3.4l-1.1 1.1M4.5 11.5l-1.1 1.1',
)
export const IconSystem = icon(
  'M3.5 2.5h9A1.5 1.5 0 0 1 14 4v5.5a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 2 9.5V4a1.5 1.5 0 0 1 1.5-1.5ZM6 13.5h4',
)
export const IconWarning = icon('M8 2.25 14.25 13H1.75L8 2.25ZM8 6.5v3M8 11.25v.01')

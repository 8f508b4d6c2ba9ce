// The icons of the dashboard's navigation, tables and menus.
import { icon } from '../ui/icons.tsx'

export const IconBolt = icon('M8.75 1.75 3.5 9h4l-.75 5.25L12.5 7h-4l.25-5.25Z')
export const IconBook = icon(
  'M8 4.25C6.5 3 4.5 2.75 2.5 2.75v9.5c2 0 4 .25 5.5 1.5 1.5-1.25 3.5-1.5 5.5-1.5v-9.5c-2 0-4 .25-5.5 1.5ZM8 4.25v9.5',
)
export const IconBlocks = icon(
  'M3.5 2.5H6a1 1 0 0 1 1 1V6a1 1 0 0 1-1 1H3.5a1 1 0 0 1-1-1V3.5a1 1 0 0 1 1-1ZM10 2.5h2.5a1 1 0 0 1 1 1V6a1 1 0 0 1-1 1H10a1 1 0 0 1-1-1V3.5a1 1 0 0 1 1-1ZM3.5 9H6a1 1 0 0 1 1 1v2.5a1 1 0 0 1-1 1H3.5a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1ZM11.25 9v4.5M9 11.25h4.5',
)
export const IconChart = icon('M2.5 13.5h11M4.5 11V8M8 11V3.5M11.5 11V6')
export const IconField = icon(
  'M3 4.5h10A1.5 1.5 0 0 1 14.5 6v4a1.5 1.5 0 0 1-1.5 1.5H3A1.5 1.5 0 0 1 1.5 10V6A1.5 1.5 0 0 1 3 4.5ZM4.5 7v2',
)
export const IconFlask = icon(
  'M6.25 2.25h3.5M7 2.5v3.75L3.5 12a1 1 0 0 0 .9 1.5h7.2a1 1 0 0 0 .9-1.5L9 6.25V2.5M5 10h6',
)
export const IconFeed = icon(
  'M3.25 2.5h9.5A1.25 1.25 0 0 1 14 3.75v2A1.25 1.25 0 0 1 12.75 7h-9.5A1.25 1.25 0 0 1 2 5.75v-2A1.25 1.25 0 0 1 3.25 2.5ZM3.25 9.5h9.5A1.25 1.25 0 0 1 14 10.75v1.5a1.25 1.25 0 0 1-1.25 1.25h-9.5A1.25 1.25 0 0 1 2 12.25v-1.5A1.25 1.25 0 0 1 3.25 9.5Z',
)
export const IconKey = icon(
  'M2.5 10.75a2.75 2.75 0 1 1 5.5 0 2.75 2.75 0 1 1-5.5 0ZM7.25 8.75l6-6M11 5l2 2M9 7l1.25 1.25',
)
export const IconMenu = icon('M2.5 4.5h11M2.5 8h11M2.5 11.5h11')
export const IconPointer = icon('m3.25 2.75 9.5 4-4.1 1.4-1.65 4.1-3.75-9.5Z')
export const IconRefresh = icon('M13 8a5 5 0 1 1-1.6-3.7M13.25 2.5v2.75H10.5')
export const IconSignOut = icon(
  'M6.5 2.75H4a1 1 0 0 0-1 1v8.5a1 1 0 0 0 1 1h2.5M10 5l3 3-3 3M12.75 8H6.5',
  'icon icon-flip',
)

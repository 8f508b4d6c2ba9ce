// The icons that load with the pages that show them.
import { icon } from './icons.tsx'

export const IconBack = icon('M10 3.5 5.5 8l4.5 4.5', 'icon icon-flip')
export const IconChevron = icon('m6 3.5 4.5 4.5L6 12.5')
export const IconCopy = icon('M6 5.5h6.5V13H6zM3.5 10.5V3H10')
export const IconDown = icon('M8 3.5v9M4.5 9 8 12.5 11.5 9')
export const IconGrip = icon('M6 3.75h.01M10 3.75h.01M6 8h.01M10 8h.01M6 12.25h.01M10 12.25h.01')
export const IconKeyboard = icon(
  'M3.25 4h9.5a1.5 1.5 0 0 1 1.5 1.5V11a1.5 1.5 0 0 1-1.5 1.5h-9.5a1.5 1.5 0 0 1-1.5-1.5V5.5A1.5 1.5 0 0 1 3.25 4ZM4.5 7h.01M7 7h.01M9.5 7h.01M11.75 7h.01M5 10h6',
)
export const IconLink = icon(
  'M6.75 9.25a2.6 2.6 0 0 0 3.7 0l2-2a2.6 2.6 0 0 0-3.7-3.7l-.75.75M9.25 6.75a2.6 2.6 0 0 0-3.7 0l-2 2a2.6 2.6 0 0 0 3.7 3.7l.75-.75',
)
export const IconLog = icon('M5.5 4H14M5.5 8H14M5.5 12H14M2.25 4h.01M2.25 8h.01M2.25 12h.01')
export const IconOpen = icon(
  'M9 2.5h4.5V7M13.25 2.75 8 8M12 9.5v3a1 1 0 0 1-1 1H3.5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1h3',
  'icon icon-flip',
)
export const IconPencil = icon(
  'm3 13 .6-2.9 7.3-7.3a1.4 1.4 0 0 1 2 0l.3.3a1.4 1.4 0 0 1 0 2L5.9 12.4 3 13ZM9.5 4.25l2.25 2.25',
)
export const IconPhone = icon(
  'M6 1.5h4a1.75 1.75 0 0 1 1.75 1.75v9.5A1.75 1.75 0 0 1 10 14.5H6a1.75 1.75 0 0 1-1.75-1.75v-9.5A1.75 1.75 0 0 1 6 1.5ZM7.25 12h1.5',
)
export const IconPlus = icon('M8 3v10M3 8h10')
export const IconQuestion = icon('M6 6a2 2 0 1 1 2.75 1.85c-.5.2-.75.6-.75 1.15M8 11.5h.01')
export const IconRedo = icon('M10.5 3 13 5.5 10.5 8M13 5.5H6.75a3.75 3.75 0 0 0 0 7.5H9')
export const IconReply = icon('M6.5 3.5 2.75 7.25 6.5 11M3 7.25h6.25a4 4 0 0 1 4 4v1', 'icon icon-flip')
export const IconSettings = icon(
  'M2 4.5h6.5M12.5 4.5H14M2 11.5h1.5M7.5 11.5H14M8.6 4.5a1.9 1.9 0 1 1 3.8 0 1.9 1.9 0 1 1-3.8 0ZM3.6 11.5a1.9 1.9 0 1 1 3.8 0 1.9 1.9 0 1 1-3.8 0Z',
)
export const IconSmile = icon(
  'M2.25 8a5.75 5.75 0 1 1 11.5 0 5.75 5.75 0 1 1-11.5 0ZM5.75 9.5c1 1.6 3.5 1.6 4.5 0M6 6.25h.01M10 6.25h.01',
)
export const IconTrash = icon(
  'M2.75 4.5h10.5M6.25 4.5V2.75h3.5V4.5M4 4.5l.6 8.75h6.8L12 4.5M6.75 7v3.75M9.25 7v3.75',
)
export const IconUndo = icon('M5.5 3 3 5.5 5.5 8M3 5.5h6.25a3.75 3.75 0 0 1 0 7.5H7')
export const IconUp = icon('M8 12.5v-9M4.5 7 8 3.5 11.5 7')
export const IconX = icon('m4 4 8 8M12 4l-8 8')

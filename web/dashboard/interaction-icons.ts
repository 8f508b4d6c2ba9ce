// The icon of each type of interaction.
import type { Component } from 'solid-js'
import type { WebhookTrigger } from '../../shared/interaction.ts'
import { IconClock } from '../ui/icons.tsx'
import { IconReply } from '../ui/page-icons.tsx'
import { IconBolt, IconField, IconFlask, IconPointer } from './nav-icons.tsx'

export const TYPE_ICONS: Record<WebhookTrigger['type'], Component> = {
  button_click: IconPointer,
  header_action: IconBolt,
  input_change: IconField,
  reply: IconReply,
  decision_expired: IconClock,
  test: IconFlask,
}

// The settings of one channel.
import { useNavigate } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { deleteChannel } from '../dashboard/api.ts'
import { ChannelActions } from '../dashboard/channel-actions.tsx'
import { ChannelAttributes } from '../dashboard/channel-attributes.tsx'
import { ChannelFrame } from '../dashboard/channel-frame.tsx'
import { ChannelGeneral } from '../dashboard/channel-general.tsx'
import { ChannelWebhook } from '../dashboard/channel-webhook.tsx'
import { ConfirmDialog } from '../dashboard/dialog.tsx'
import { Section } from '../dashboard/page.tsx'

export function ChannelSettingsPage(props: { id: string }): JSX.Element {
  const navigate = useNavigate()

  async function remove(): Promise<void> {
    await deleteChannel(props.id)
    navigate('/', { replace: true })
  }

  return (
    <ChannelFrame id={props.id}>
      {(channel, set) => (
        <>
          <ChannelGeneral channel={channel()} onChange={set} />
          <ChannelActions channel={channel()} onChange={set} />
          <ChannelAttributes channelId={channel().id} />
          <ChannelWebhook channel={channel()} onChange={set} />
          <Section
            title="Delete the channel"
            about="With its cards, actions, attributes and log. There is no way back."
            danger
          >
            <ConfirmDialog
              open="Delete channel"
              title={`Delete ${channel().name}?`}
              about="All its cards, header actions, attributes and its log go with it, for everybody and for good."
              typed={channel().name}
              confirm="Delete channel"
              busy="Deleting…"
              onConfirm={remove}
            />
          </Section>
        </>
      )}
    </ChannelFrame>
  )
}

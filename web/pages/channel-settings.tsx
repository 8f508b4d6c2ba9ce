// The settings of one channel.
import type { JSX } from 'solid-js'
import { ChannelActions } from '../dashboard/channel-actions.tsx'
import { ChannelAttributes } from '../dashboard/channel-attributes.tsx'
import { ChannelFrame } from '../dashboard/channel-frame.tsx'
import { ChannelGeneral } from '../dashboard/channel-general.tsx'
import { ChannelWebhook } from '../dashboard/channel-webhook.tsx'
import { Deletion } from '../dashboard/thing-page.tsx'
import { deleteChannel } from '../data/owner-client.ts'

export function ChannelSettingsPage(props: { id: string }): JSX.Element {
  return (
    <ChannelFrame id={props.id}>
      {(channel, set) => (
        <>
          <ChannelGeneral channel={channel()} onChange={set} />
          <ChannelActions channel={channel()} onChange={set} />
          <ChannelAttributes channelId={channel().id} />
          <ChannelWebhook channel={channel()} onChange={set} />
          <Deletion
            what="channel"
            name={channel().name}
            about="With its cards, actions, attributes and log. There is no way back."
            gone="All its cards, header actions, attributes and its log go with it, for everybody and for good."
            onDelete={() => deleteChannel(props.id)}
          />
        </>
      )}
    </ChannelFrame>
  )
}

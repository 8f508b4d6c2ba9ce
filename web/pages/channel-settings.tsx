// The settings of one channel.
import type { JSX } from 'solid-js'
import { deleteChannel } from '../dashboard/api.ts'
import { ChannelAttributes } from '../dashboard/channel-attributes.tsx'
import { ChannelGeneral } from '../dashboard/channel-general.tsx'
import { ChannelWebhook } from '../dashboard/channel-webhook.tsx'
import { HeaderActions } from '../dashboard/header-actions.tsx'
import { ChannelPages, DeleteSection } from '../dashboard/settings-page.tsx'

export function ChannelSettingsPage(props: { id: string }): JSX.Element {
  return (
    <ChannelPages id={props.id}>
      {(channel, set) => (
        <>
          <ChannelGeneral channel={channel()} onChange={set} />
          <HeaderActions channel={channel()} onChange={set} />
          <ChannelAttributes channelId={channel().id} />
          <ChannelWebhook channel={channel()} onChange={set} />
          <DeleteSection
            kind="channel"
            name={channel().name}
            about="With its cards, header actions, attributes and log. This can’t be undone."
            details="This also deletes its cards, header actions, attributes and log, for everyone. It can’t be undone."
            onDelete={() => deleteChannel(props.id)}
          />
        </>
      )}
    </ChannelPages>
  )
}

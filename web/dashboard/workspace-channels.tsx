// The channels of a workspace on its settings page.
import { A, useNavigate } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { fetchChannels } from '../data/owner-requests.ts'
import { firstCardIn } from '../shell/start-path.ts'
import { ChannelIcon } from '../ui/channel-name.tsx'
import { createFreshLoad, Loaded } from '../ui/load.tsx'
import { CreateChannel } from './create-channel.tsx'
import { RowList } from './row-list.tsx'
import { Section } from './section.tsx'

export function WorkspaceChannels(props: { workspace: { id: string; name: string } }): JSX.Element {
  const navigate = useNavigate()
  const { load, again } = createFreshLoad(() => fetchChannels(props.workspace.id))
  return (
    <Section title="Channels" about="Automations push cards into channels.">
      <Loaded load={load()} again={again}>
        {channels => (
          <RowList
            label="Channels"
            each={channels()}
            empty="No channels yet"
            scrolls={channels().length > 10}
          >
            {channel => (
              <li class="row across">
                <ChannelIcon icon={channel().icon} />
                <A class="row-link fill cut" href={`/dashboard/channels/${channel().id}`}>
                  <bdi>{channel().name}</bdi>
                </A>
              </li>
            )}
          </RowList>
        )}
      </Loaded>
      <div class="line">
        <CreateChannel workspace={props.workspace} onCreated={channel => navigate(firstCardIn(channel.id))} />
      </div>
    </Section>
  )
}

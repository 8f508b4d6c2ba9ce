// What the views of one channel share: its name, the way to its feed, and the way between the views.
import type { JSX } from 'solid-js'
import type { ChannelWithActions } from '../../shared/channel.ts'
import { api } from '../data/owner-client.ts'
import { ThingPage, type ThingPageProps } from './thing-page.tsx'

export type ChannelFrameProps = {
  id: string
  children: ThingPageProps<ChannelWithActions>['children']
}

export function ChannelFrame(props: ChannelFrameProps): JSX.Element {
  const base = () => `/dashboard/channels/${props.id}`
  return (
    <ThingPage
      what="Channel"
      read={() => api.channel(props.id).get()}
      open={({ id }) => ({ href: `/c/${id}`, name: 'Open feed' })}
      views={[
        { href: base(), name: 'Settings' },
        { href: `${base()}/log`, name: 'Log' },
      ]}
    >
      {props.children}
    </ThingPage>
  )
}

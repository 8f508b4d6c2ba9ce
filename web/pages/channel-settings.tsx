// The settings of one channel.
import { A } from '@solidjs/router'
import type { JSX } from 'solid-js'
import { patchChannelBody, receipts } from '../../shared/channel.ts'
import { ChannelAttributes } from '../dashboard/channel-attributes.tsx'
import { ChannelWebhook } from '../dashboard/channel-webhook.tsx'
import { ChannelFields, readChannelFields } from '../dashboard/general-fields.tsx'
import { HeaderActions } from '../dashboard/header-actions.tsx'
import { pushCommand } from '../dashboard/push-command.ts'
import { Section, SectionPart } from '../dashboard/section.tsx'
import { joinForm } from '../dashboard/settings-drafts.tsx'
import { ChannelPages, type ChannelProps, DeleteSection } from '../dashboard/settings-page.tsx'
import { SettingsSections } from '../dashboard/settings-sections.tsx'
import { check, patchChannel } from '../data/checked-requests.ts'
import { deleteChannel } from '../data/owner-requests.ts'
import { channelAddress } from '../feed/permalink.ts'
import { changedFields } from '../lib/form-values.ts'
import { Command, CopyButton } from '../ui/copy.tsx'
import { createForm } from '../ui/form.tsx'
import './channel-settings.css'

export function ChannelSettingsPage(props: { id: string }): JSX.Element {
  return (
    <ChannelPages id={props.id}>
      {(channel, set) => (
        <SettingsSections>
          <Sections channel={channel()} onChange={set} />
        </SettingsSections>
      )}
    </ChannelPages>
  )
}

function Sections(props: ChannelProps): JSX.Element {
  const changed = (values: Record<string, string>) => changedFields(readSettings(values), props.channel)
  const form = createForm(
    async values => {
      const body = changed(values)
      if (body) props.onChange(await patchChannel(props.channel.id, body))
    },
    'name',
    values => check(patchChannelBody, changed(values) ?? {}),
  )
  // A header action that is to go is gone before people may press it.
  joinForm(form, () => true)
  return (
    <>
      <Section title="General" about="Everyone who sees the channel sees saved changes at once.">
        <ChannelFields form={form} saved={props.channel} />
        <ForAutomations channelId={props.channel.id} />
      </Section>
      <HeaderActions channel={props.channel} onChange={props.onChange} />
      <ChannelAttributes channelId={props.channel.id} />
      <ChannelWebhook channel={props.channel} form={form} />
      <DeleteSection
        kind="channel"
        name={props.channel.name}
        about="With its cards, header actions, attributes and log. This can’t be undone."
        details="This also deletes its cards, header actions, attributes and log, for everyone. It can’t be undone."
        onDelete={() => deleteChannel(props.channel.id)}
      />
    </>
  )
}

function readSettings(values: Record<string, string>) {
  const url = values.webhook_url?.trim() ?? ''
  return {
    ...readChannelFields(values),
    receipts: receipts.parse(values.receipts),
    webhook_url: url === '' ? null : url,
  }
}

function ForAutomations(props: { channelId: string }): JSX.Element {
  return (
    <SectionPart
      title="For automations"
      about="The command needs an API key that can write."
      buttons={
        <>
          <CopyButton
            text={channelAddress(props.channelId)}
            what="the channel’s address"
            label="Copy address"
          />
          <A class="button button-secondary button-small" href="/dashboard/keys">
            API keys
          </A>
        </>
      }
    >
      <div class="id-line line">
        <span class="hint">Channel ID</span>
        <code class="fill">{props.channelId}</code>
        <CopyButton text={props.channelId} what="the channel’s ID" />
      </div>
      <Command
        text={pushCommand(location.origin, props.channelId, '$API_KEY')}
        what="the command that pushes a card"
      />
    </SectionPart>
  )
}

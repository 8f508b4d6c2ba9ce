// The menu of a card: its exact times, for phones, its address, text or id to copy, and changes for those who run the channel.
import { Show } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { PlacedCard } from '../../shared/card.ts'
import { cardText } from '../card/block.tsx'
import { titleOf } from '../card/card-layout.ts'
import { useFeed } from '../data/channel/page-feed.ts'
import { deleteCard } from '../data/owner-requests.ts'
import { errorText } from '../lib/error-text.ts'
import { requestConfirmation } from '../ui/confirmation.tsx'
import { IconMore } from '../ui/icons.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { IconCopy, IconLink, IconPencil, IconTrash } from '../ui/page-icons.tsx'
import { timeWords } from '../ui/time-ago.tsx'
import { showToast } from '../ui/toast.tsx'
import { copyAndTell } from './copy-and-tell.ts'
import { CARD, cardAddress } from './permalink.ts'

export default function CardTools(props: { card: PlacedCard }) {
  const feed = useFeed()
  const items = () => {
    const { card } = props
    return [
      {
        name: 'Copy link',
        icon: <IconLink />,
        does: { run: () => copyAndTell(cardAddress(feed.id, card.id), 'Link') },
      },
      { name: 'Copy text', icon: <IconCopy />, does: { run: () => copyAndTell(cardText(card), 'Text') } },
      ...(feed.view()?.can_edit ? ownerItems(feed.id, card) : []),
    ]
  }
  return (
    <div class="card-tools">
      <MenuButton
        label="More about this card"
        icon={<IconMore />}
        items={items()}
        note={<ExactTimes card={props.card} />}
      />
    </div>
  )
}

function ownerItems(channelId: string, card: PlacedCard): MenuItem[] {
  const builder = `/dashboard/builder?channel=${encodeURIComponent(channelId)}&${CARD}=${encodeURIComponent(card.id)}`
  return [
    { name: 'Copy card ID', icon: <IconCopy />, does: { run: () => copyAndTell(card.id, 'ID') } },
    { name: 'Change in the builder', icon: <IconPencil />, apart: true, does: { href: builder } },
    {
      name: 'Delete card…',
      icon: <IconTrash />,
      danger: true,
      does: { run: () => confirmDeletion(channelId, card) },
    },
  ]
}

async function confirmDeletion(channelId: string, card: PlacedCard): Promise<void> {
  const question = 'Delete this card?\nEverybody loses it. This can’t be undone.'
  const about = titleOf(card.blocks)
  if (!(await requestConfirmation({ question, about, yes: 'Delete card', danger: true }))) return
  try {
    await deleteCard(channelId, card.id)
  } catch (error) {
    if (!(error instanceof ChannelFeedError)) throw error
    showToast({ words: `Card not deleted: ${errorText(error)}` })
  }
}

function ExactTimes(props: { card: PlacedCard }) {
  const { created_at, updated_at } = props.card
  return (
    <p class="menu-note" lang={timeWords().language}>
      {timeWords().exactTime(created_at)}
      <Show when={updated_at !== created_at}>
        <br />
        <span lang="en">edited </span>
        {timeWords().exactTime(updated_at)}
      </Show>
    </p>
  )
}

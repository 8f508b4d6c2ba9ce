// The menu of a card: its exact time, for phones, and its address, text or id to copy.
import type { PlacedCard } from '../../shared/card.ts'
import { cardText } from '../card/block.tsx'
import { useFeed } from '../data/channel/page-feed.ts'
import { IconMore } from '../ui/icons.tsx'
import { MenuButton } from '../ui/menu.tsx'
import { IconCopy, IconLink } from '../ui/page-icons.tsx'
import { timeWords } from '../ui/time-ago.tsx'
import { copyAndTell } from './copy-and-tell.ts'
import { cardAddress } from './permalink.ts'

export default function CardTools(props: { card: PlacedCard }) {
  const feed = useFeed()
  const items = () => {
    const { card } = props
    const own = { name: 'Copy card ID', icon: <IconCopy />, does: { run: () => copyAndTell(card.id, 'ID') } }
    return [
      {
        name: 'Copy link',
        icon: <IconLink />,
        does: { run: () => copyAndTell(cardAddress(feed.id, card.id), 'Link') },
      },
      { name: 'Copy text', icon: <IconCopy />, does: { run: () => copyAndTell(cardText(card), 'Text') } },
      ...(feed.view()?.can_edit ? [own] : []),
    ]
  }
  return (
    <div class="card-tools">
      <MenuButton
        label="More about this card"
        icon={<IconMore />}
        items={items()}
        note={<ExactTime card={props.card} />}
      />
    </div>
  )
}

function ExactTime(props: { card: PlacedCard }) {
  return (
    <p class="menu-note" lang={timeWords().language}>
      {timeWords().exactTime(props.card.created_at)}
    </p>
  )
}

// The menu of a card: its exact times, for phones, its address, text or id to copy, and changes for those who run the channel.
import { Show } from 'solid-js'
import { ChannelFeedError } from '../../client/errors.ts'
import type { PlacedCard } from '../../shared/card.ts'
import type { QuestionBlock } from '../../shared/decision-rules.ts'
import { cardText } from '../card/block.tsx'
import { questionName, titleOf } from '../card/card-layout.ts'
import { waitingQuestions } from '../card/needs-you.ts'
import { useFeed } from '../data/channel/page-feed.ts'
import { closeQuestion, deleteCard } from '../data/owner-requests.ts'
import { errorText } from '../lib/error-text.ts'
import { serverNow } from '../lib/server-clock.ts'
import { requestConfirmation } from '../ui/confirmation.tsx'
import { IconMore } from '../ui/icons.tsx'
import { MenuButton, type MenuItem } from '../ui/menu.tsx'
import { IconCopy, IconLink, IconPencil, IconTrash, IconX } from '../ui/page-icons.tsx'
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
  // A clock that ticks would make the items anew, and an open menu would lose the focus.
  const waiting = waitingQuestions(card.blocks, serverNow())
  return [
    { name: 'Copy card ID', icon: <IconCopy />, does: { run: () => copyAndTell(card.id, 'ID') } },
    { name: 'Change in the builder', icon: <IconPencil />, apart: true, does: { href: builder } },
    ...waiting.map(question => closingItem(channelId, card, question, waiting.length === 1)),
    {
      name: 'Delete card…',
      icon: <IconTrash />,
      danger: true,
      does: { run: () => confirmDeletion(channelId, card) },
    },
  ]
}

const NAME_MAX = 40

/** `isOnly`: no other question of the card waits. */
function closingItem(
  channelId: string,
  { blocks }: PlacedCard,
  { id, decision }: QuestionBlock,
  isOnly: boolean,
): MenuItem {
  const [about] = questionName(blocks, id)?.split('\n') ?? []
  const name = isOnly || about === undefined ? '' : `: ${about.slice(0, NAME_MAX)}`
  return {
    name: `Close the question${name}`,
    icon: <IconX />,
    does: { run: () => confirmClosing(channelId, decision.id, about) },
  }
}

async function confirmClosing(
  channelId: string,
  decisionId: string,
  about: string | undefined,
): Promise<void> {
  const question = 'Close this question?\nNobody can decide it any more. This can’t be undone.'
  if (!(await requestConfirmation({ question, about, yes: 'Close the question', danger: true }))) return
  await tellFailure('Question not closed', closeQuestion(channelId, decisionId))
}

async function confirmDeletion(channelId: string, card: PlacedCard): Promise<void> {
  const question = 'Delete this card?\nEverybody loses it. This can’t be undone.'
  const about = titleOf(card.blocks)
  if (!(await requestConfirmation({ question, about, yes: 'Delete card', danger: true }))) return
  await tellFailure('Card not deleted', deleteCard(channelId, card.id))
}

async function tellFailure(failure: string, request: Promise<unknown>): Promise<void> {
  try {
    await request
  } catch (error) {
    if (!(error instanceof ChannelFeedError)) throw error
    showToast({ words: `${failure}: ${errorText(error)}` })
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

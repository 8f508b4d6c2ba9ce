// The addresses of a channel and of a card.

/** The query parameter that names the card. Servers write the same address. */
export const CARD = 'card'

export const channelAddress = (channelId: string) => `${location.origin}/c/${encodeURIComponent(channelId)}`

export const cardAddress = (channelId: string, cardId: string) =>
  `${channelAddress(channelId)}?${CARD}=${encodeURIComponent(cardId)}`

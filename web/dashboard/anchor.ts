// The anchors of the sections of a settings page.

/** The section that deletes what the page is about. */
export const DANGER_ID = 'danger-zone'

export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(/[^a-z]+/g, '-')

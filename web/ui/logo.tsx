// The product's logo, as in public/icon.svg. It is inline because browsers load an SVG file like a page, which delays the first card.
import type { JSX } from 'solid-js'

/** A square of `size` CSS pixels. */
export const Logo = (props: { size: number }): JSX.Element => (
  <svg class="logo" viewBox="0 0 64 64" width={props.size} height={props.size} aria-hidden="true">
    <rect width="64" height="64" rx="15" fill="#4655d8" />
    <rect x="14" y="15" width="36" height="14" rx="4" fill="#fff" />
    <rect x="14" y="35" width="36" height="14" rx="4" fill="#fff" fill-opacity=".62" />
    <rect x="14" y="15" width="5" height="14" rx="2.5" fill="#3fbf7f" />
    <rect x="14" y="35" width="5" height="14" rx="2.5" fill="#f2b63c" />
  </svg>
)

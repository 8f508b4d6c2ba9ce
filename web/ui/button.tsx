// The app's buttons, by look. They take every attribute of a button; a `class` replaces the look.
import type { JSX } from 'solid-js'

type Attributes = JSX.ButtonHTMLAttributes<HTMLButtonElement>

export const Button = (attributes: Attributes): JSX.Element => (
  <button type="button" class="button button-secondary" {...attributes} />
)

export const SmallButton = (attributes: Attributes): JSX.Element => (
  <button type="button" class="button button-secondary button-small" {...attributes} />
)

export const IconButton = (attributes: Attributes): JSX.Element => (
  <button type="button" class="icon-button" {...attributes} />
)

export const LinkButton = (attributes: Attributes): JSX.Element => (
  <button type="button" class="link" {...attributes} />
)

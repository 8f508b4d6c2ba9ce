// An API key that was created or pasted in this tab, for the requests of the API reference. It is never stored.
import { createSignal } from 'solid-js'

export const [tabKey, setTabKey] = createSignal('')

// Asks for the password of a protected workspace.
import { unlock } from '../data/viewer-requests.ts'
import { createForm, Form, FormField } from '../ui/form.tsx'

export function UnlockForm(props: { what: Parameters<typeof unlock>[0]; onUnlocked: () => void }) {
  const form = createForm(async values => {
    await unlock(props.what, values.password ?? '')
    props.onUnlocked()
  }, 'password')
  return (
    <Form form={form} submit="Open" busy="Opening…">
      <FormField form={form} name="password" label="Password" type="password" autocomplete="off" />
    </Form>
  )
}

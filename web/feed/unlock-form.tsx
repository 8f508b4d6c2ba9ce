// Asks for the password of a protected workspace.
import { unlock } from '../data/client.ts'
import { createForm, Form, FormField } from '../ui/form.tsx'

export type UnlockFormProps = { what: { channel_id: string } | { slug: string }; onUnlocked: () => void }

export function UnlockForm(props: UnlockFormProps) {
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

// A new password, set with a link that the reset-password command prints.
import { z } from 'zod'
import { newPassword } from './user.ts'

export const resetPasswordBody = z.object({ token: z.string(), password: newPassword })
export type ResetPasswordBody = z.output<typeof resetPasswordBody>

export const passwordReset = z.object({ success: z.literal(true) })
export type PasswordReset = z.output<typeof passwordReset>

import { invitation } from '../../../shared/api/invitation.ts'
import type { Invitations } from '../../accounts/invitations.ts'
import { serve } from '../serve.ts'
import { managerOf } from './user-admin.ts'

/** Invitation links by administrators (docs/reference/accounts.md#invitation-links). */
export const invitationApi = (invitations: Invitations) =>
  serve(invitation, {
    list: ({ actor }) => invitations.list(actor),
    create: ({ body, actor, caller }) => invitations.create(managerOf(actor, caller), body),
    remove: async ({ params, actor, caller }) => {
      await invitations.remove(managerOf(actor, caller), params.id)
      return null
    },
    look: async ({ body }) => {
      const { row, by } = await invitations.open(body.code.trim())
      return {
        invited_by: by.display_name || by.username,
        role: row.role,
        quota: row.quota,
        expires_at: row.expires_at,
      }
    },
  })

import type { Locale } from '../../shared/messages/format.ts'
import { managerRow } from '../audit/log-rows.ts'
import type { Clock } from '../base/clock.ts'
import type { Invitations, OpenInvitation } from './invitations.ts'
import type { NewAccount } from './new-account.ts'

type Deps = Readonly<{ invitations: Pick<Invitations, 'take'>; clock: Clock }>

type Invited = Readonly<{ row: NewAccount['row']; invited: OpenInvitation; locale: Locale }>

/**
 * What an invitation link contributes to a new account: role, group, quota and remark, one use of the link in the
 * transaction that creates the account, and a log row for administrators
 * (docs/reference/accounts.md#invitation-links).
 */
export function invitedAccount(
  { invitations, clock }: Deps,
  { row, invited, locale }: Invited,
): Pick<NewAccount, 'row' | 'extra' | 'together' | 'audit'> {
  const { id: link, role, group, quota, note } = invited.row
  return {
    row: { ...row, role, ...(group !== '' && { group }), remark: note },
    extra: { quota, from: 'invitation' },
    together: (transaction) => invitations.take(transaction, invited),
    audit: (id) => {
      const facts = { invitation: { id: link }, user: { id } }
      return managerRow(
        { ...invited.by, locale },
        'log.invitation_used',
        clock,
        { name: row.username, id, link },
        facts,
      )
    },
  }
}

import type { Invitations, OpenInvitation } from './invitations.ts'
import type { NewAccount } from './new-account.ts'

/**
 * What a link of invitation makes of a new account: role, group, quota and remark, and one use of the link in the transaction
 * that makes it (docs/reference/accounts.md#links-of-invitation).
 */
export function invitedAccount(
  invitations: Pick<Invitations, 'take'>,
  row: NewAccount['row'],
  invited: OpenInvitation,
): Pick<NewAccount, 'row' | 'extra' | 'together'> {
  const { role, group, quota, note } = invited.row
  return {
    row: { ...row, role, ...(group !== '' && { group }), remark: note },
    extra: { quota, from: 'invitation' },
    together: (transaction) => invitations.take(transaction, invited),
  }
}

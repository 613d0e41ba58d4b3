import type { BudgetWindow } from '../../shared/budgets.ts'
import type { MessageKey } from '../../shared/messages/en.ts'
import { nested } from '../../shared/messages/format.ts'
import type { Logger } from '../base/log/logger.ts'
import type { Settings } from '../settings/settings.ts'
import { tokenStore } from '../store/accounts/tokens.ts'
import { userStore } from '../store/accounts/users.ts'
import type { Db } from '../store/sqlite/database.ts'
import { BUDGET_REACHED } from './notice.ts'
import type { Notices } from './notices.ts'

type BudgetReachedDeps = Readonly<{
  db: Db
  notices: Pick<Notices, 'notify'>
  settings: Pick<Settings, 'get' | 'linkAddress'>
  log: Logger
  show: (quota: number) => string
}>

const windowNames = {
  minute: 'budget.minute',
  five_hours: 'budget.fiveHours',
  day: 'budget.day',
  week: 'budget.week',
  month: 'budget.month',
} as const satisfies Record<BudgetWindow, MessageKey>

/**
 * Notifies the owner of a token that one of its budgets is used up (docs/reference/accounts.md#notices). Returns
 * immediately; the work runs in a later turn of the event loop.
 */
export function createBudgetReached({ db, notices, settings, log, show }: BudgetReachedDeps) {
  const notify = async (tokenId: number, { window, limit, resetsAt }: UsedUp) => {
    try {
      const token = await tokenStore(db).byId(tokenId)
      const user = token && (await userStore(db).byId(token.user_id))
      if (!token || !user) return
      const amount = show(limit)
      const at = `${new Date(resetsAt * 1000).toISOString().slice(0, 16).replace('T', ' ')} UTC`
      const link = `${settings.linkAddress()}/token`
      await notices.notify(user, {
        type: `${BUDGET_REACHED}_${tokenId}_${window}`,
        subject: 'mail.budget_subject',
        body: ['mail.budget_body'],
        params: {
          site: settings.get('SystemName'),
          name: token.name,
          window: nested(windowNames[window]),
          limit: amount,
          at,
          link,
        },
        values: [token.name, window, amount, at],
      })
    } catch (error) {
      log.error('a notice of a budget could not be made', { tokenId, error })
    }
  }
  return (tokenId: number, reached: UsedUp): void => void setImmediate(notify, tokenId, reached)
}

type UsedUp = Readonly<{ window: BudgetWindow; limit: number; resetsAt: number }>

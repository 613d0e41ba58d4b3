import { Classes, type Intent } from '@blueprintjs/core'
import type { BudgetUse, TokenView } from '../../../shared/api/token.ts'
import { useQuotaFormat } from '../../components/amount.ts'
import { formatTime } from '../../components/date-time.ts'
import { TagPopover } from '../../components/popover/tag-popover.tsx'
import { useTranslation } from '../../translation.ts'

/** The most used budget as a small meter; opens to show all with their usage and reset times. */
export function BudgetTag({ token }: { token: TokenView }) {
  const { t } = useTranslation()
  const lines = useLines(token.budget_use)
  const [fullest] = token.budget_use.toSorted((one, other) => other.percent - one.percent)
  if (!fullest) return null
  const text = t('token.budgetUsed', { window: t(`token.budget.${fullest.window}`), percent: fullest.percent })
  return (
    <TagPopover
      intent={intentOf(fullest)}
      className="token-budget tabular"
      hint={lines.map(({ used, amounts, reset }) => `${used}: ${amounts}, ${reset}`).join('\n')}
      content={<Budgets label={t('token.budgetsOf', { name: token.name })} lines={lines} />}
    >
      <span className="token-budget-bar" style={{ width: `${Math.min(100, fullest.percent)}%` }} />
      {text}
    </TagPopover>
  )
}

type Line = Readonly<{ window: string; used: string; amounts: string; reset: string }>

function useLines(budgets: readonly BudgetUse[]): readonly Line[] {
  const { t } = useTranslation()
  const format = useQuotaFormat()
  return budgets.map(({ window, used, limit, percent, resets_at: resetsAt }) => {
    const amounts = t('token.budgetOf', { used: format(used), limit: format(limit) })
    const reset = resetsAt === null ? t('token.budgetIdle') : t('token.budgetResets', { time: formatTime(resetsAt) })
    const name = t(`token.budget.${window}`)
    return { window, used: t('token.budgetUsed', { window: name, percent }), amounts, reset }
  })
}

function Budgets({ label, lines }: Readonly<{ label: string; lines: readonly Line[] }>) {
  return (
    <div role="dialog" aria-label={label}>
      <ul className="token-budgets tabular">
        {lines.map(({ window, used, amounts, reset }) => (
          <li key={window}>
            <strong>{used}</strong>
            <span>{amounts}</span>
            <span className={Classes.TEXT_MUTED}>{reset}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function intentOf({ percent, is_warning: isWarning }: BudgetUse): Intent {
  if (percent >= 100) return 'danger'
  return isWarning ? 'warning' : 'none'
}

import { MenuItem, type MenuItemProps } from '@blueprintjs/core'
import type { Run } from '../../../../shared/api/channel-runs.ts'
import { useTranslation } from '../../../translation.ts'
import { isGoing } from './run-facts.ts'
import { useRuns } from './use-runs.ts'

type RunItemProps = Pick<MenuItemProps, 'icon' | 'text' | 'onClick'> & Readonly<{ kind: Run['kind'] }>

/**
 * Starts a run from a menu; shows the progress instead while one of its kind is active, because there can be only
 * one.
 */
export function RunItem({ kind, ...item }: RunItemProps) {
  const { t } = useTranslation()
  const { data = [] } = useRuns()
  const run = data.find((one) => one.kind === kind && isGoing(one))
  if (!run) return <MenuItem {...item} />
  return <MenuItem {...item} disabled label={t('run.busy', { n: run.items.length, total: run.total })} />
}

import { Callout, Tag } from '@blueprintjs/core'
import { useTranslation } from 'react-i18next'
import type { OptionKey } from '../../../../shared/options/index.ts'
import type { PanelName } from '../../../../shared/options/panels.ts'
import { isAllWaiting, isWaiting } from '../../../../shared/options/waiting.ts'
import { Tooltip } from '../../../components/popover/parts.tsx'

/** Of a setting whose feature is not here yet: that it does nothing so far, and on hover and focus why. */
export function WaitingTag() {
  const { t } = useTranslation()
  return (
    <Tooltip content={<span>{t('settings.waitingHint')}</span>}>
      <Mark />
    </Tooltip>
  )
}

/** That a setting which was found does nothing so far, for a link, in which nothing else can have the focus. */
export function FoundWaitingTag({ option }: { option: OptionKey }) {
  const { t } = useTranslation()
  if (!isWaiting(option)) return null
  return (
    <span title={t('settings.waitingHint')}>
      <Mark />
    </span>
  )
}

/** Above a panel in which nothing works yet, in place of a tag at each setting. */
export function WaitingNote({ panel }: { panel: PanelName }) {
  const { t } = useTranslation()
  if (!isAllWaiting(panel)) return null
  return (
    <Callout compact className="setting-waiting-note">
      {t('settings.waitingPanel')}
    </Callout>
  )
}

/** In words of their own for who listens: the tag itself has room for few. */
function Mark() {
  const { t } = useTranslation()
  const waiting = t('settings.waiting')
  return (
    <Tag minimal>
      <span aria-hidden>{waiting}</span>
      <span className="setting-spoken">{t('settings.waitingMore', { waiting, hint: t('settings.waitingHint') })}</span>
    </Tag>
  )
}

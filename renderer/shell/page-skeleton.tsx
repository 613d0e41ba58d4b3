import './page-skeleton.css'
import { Classes } from '@blueprintjs/core'
import { useTranslation } from '../translation.ts'

/** The skeleton of a page whose code is loading. It appears only after 150 ms, so that a fast page does not flash. */
export function PageSkeleton() {
  const { t } = useTranslation()
  return (
    <div className="page-skeleton" role="status" aria-label={t('state.loading')}>
      <div className={`page-skeleton-title ${Classes.SKELETON}`} />
      <div className={`page-skeleton-body ${Classes.SKELETON}`} />
    </div>
  )
}

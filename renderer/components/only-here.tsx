import { Callout } from '@blueprintjs/core'
import { role } from '../../shared/enums.ts'
import { useUser } from '../api/session.ts'
import { useTranslation } from '../translation.ts'
import { LinkButton } from './link-button.tsx'

/** Says of a link that it opens on this computer alone, and leads to where that is changed. */
export function OnlyHere() {
  const { t } = useTranslation()
  const isRoot = (useUser()?.role ?? 0) >= role.root
  return (
    <Callout compact intent="warning" role="status">
      <p>
        {t('link.onlyHere')} {!isRoot && t('link.askToShare')}
      </p>
      {isRoot && <LinkButton isFilled to="/share" text={t('page.share')} />}
    </Callout>
  )
}

import { Search } from '@blueprintjs/icons'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import { useTitle } from '../../components/use-title.ts'
import { useTranslation } from '../../translation.ts'

/** Shown for unknown addresses (docs/reference/screens.md#routes). */
export default function NotFoundPage() {
  const { t } = useTranslation()
  useTitle(t('label.pageNotFound'))
  return (
    <BlankState
      scope="page"
      icon={<Search size={48} />}
      title={t('notFound.title')}
      description={t('notFound.text')}
      action={<LinkButton isFilled intent="primary" to="/" text={t('notFound.home')} />}
    />
  )
}

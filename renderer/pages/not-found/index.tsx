import { Classes, NonIdealState } from '@blueprintjs/core'
import { Search } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../components/link-button.tsx'
import { useTitle } from '../../components/use-title.ts'

/** What an address leads to that is no page of the console (spec/console.md §8.1). */
export default function NotFoundPage() {
  const { t } = useTranslation()
  useTitle(t('label.pageNotFound'))
  return (
    <NonIdealState
      icon={<Search size={48} />}
      title={<h1 className={Classes.HEADING}>{t('notFound.title')}</h1>}
      description={t('notFound.text')}
      action={<LinkButton isFilled intent="primary" to="/" text={t('notFound.home')} />}
    />
  )
}

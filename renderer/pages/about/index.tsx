import './about.css'
import { Card, Classes } from '@blueprintjs/core'
import { InfoSign } from '@blueprintjs/icons'
import { status } from '../../../shared/api/status.ts'
import { role } from '../../../shared/enums.ts'
import { useUser } from '../../api/session.ts'
import { useCall } from '../../api/use-call.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { LinkButton } from '../../components/link-button.tsx'
import OperatorPage from '../../components/operator-page/operator-page.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useTranslation } from '../../translation.ts'

/** The operator's public description of this gateway (docs/reference/screens.md#about). */
export default function AboutPage() {
  const { t } = useTranslation()
  const { data, error, refetch } = useCall(status.about, {}, { quiet: true })
  const text = data?.trim()
  return (
    <PageFrame title={t('label.about')}>
      {text === undefined && error && (
        <Card className="about-card">
          <FailedState message={error.message} onRetry={() => void refetch()} />
        </Card>
      )}
      {text === undefined && !error && <div aria-busy className={`about-waiting ${Classes.SKELETON}`} />}
      {text === '' && <NothingYet />}
      {text && <OperatorPage text={text} />}
    </PageFrame>
  )
}

function NothingYet() {
  const { t } = useTranslation()
  const user = useUser()
  const isOperator = user !== undefined && user.role >= role.admin
  return (
    <Card className="about-card">
      <BlankState
        icon={<InfoSign size={48} />}
        title={t('about.empty')}
        description={t(isOperator ? 'about.emptyOperator' : 'about.emptyVisitor')}
        action={
          isOperator && (
            <LinkButton isFilled intent="primary" to="/setting?tab=other&key=About" text={t('about.write')} />
          )
        }
      />
    </Card>
  )
}

import './explain-routing.css'
import { Card, Classes } from '@blueprintjs/core'
import { Route } from '@blueprintjs/icons'
import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { routing } from '../../../shared/api/routing.ts'
import { areaOf } from '../../api/use-call.ts'
import { BlankState } from '../../components/blank-state/blank-state.tsx'
import { PageFrame } from '../../components/page-frame/page-frame.tsx'
import { useTranslation } from '../../translation.ts'
import { AnswerTo } from './answer-to.tsx'
import { ExplainForm } from './explain-form.tsx'
import { addressOf, type ExplainQuery, queryIn } from './explain-query.ts'

/**
 * "Routing explorer": which channels a request would try, in which order, and why not the others
 * (docs/reference/selection.md#explaining-a-choice). The query is in the address, so that other pages can link to it;
 * nothing is sent to a vendor.
 */
export default function ExplainRoutingPage() {
  const { t } = useTranslation()
  const { search } = useLocation()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const query = useMemo(() => queryIn(new URLSearchParams(search)), [search])
  const submit = (next: ExplainQuery) => {
    void navigate(addressOf(next), { replace: query.model === '' })
    // Submitting again refreshes the answer.
    void queries.invalidateQueries({ queryKey: [areaOf(routing.explain), routing.explain.path] })
  }
  return (
    <PageFrame title={t('page.explainRouting')}>
      <ExplainForm query={query} onSubmit={submit} />
      <p className={`explain-intro ${Classes.TEXT_MUTED}`}>{t('explain.intro')}</p>
      {query.model === '' ? <NoQuery /> : <AnswerTo query={query} />}
    </PageFrame>
  )
}

function NoQuery() {
  const { t } = useTranslation()
  return (
    <Card className="explain-blank">
      <BlankState icon={<Route size={48} />} title={t('explain.blank')} description={t('explain.blankHint')} />
    </Card>
  )
}

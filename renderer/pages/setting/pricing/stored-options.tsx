import { Card, Classes } from '@blueprintjs/core'
import { type ReactNode, useMemo } from 'react'
import { option } from '../../../../shared/api/option.ts'
import { useCall } from '../../../api/use-call.ts'
import { FailedState } from '../../../components/blank-state/failed-state.tsx'
import { StaleNote } from '../../../components/stale-note/stale-note.tsx'
import { useTranslation } from '../../../translation.ts'
import { type OptionTexts, textsIn } from './option-texts.ts'

export function StoredOptions({ children }: { children: (texts: OptionTexts) => ReactNode }) {
  const { data, error, refetch, dataUpdatedAt } = useCall(option.list, {}, { quiet: true })
  const texts = useMemo(() => data && textsIn(data), [data])
  if (texts)
    return (
      <>
        <StaleNote loadedAt={dataUpdatedAt} error={error} onRetry={() => void refetch()} />
        {children(texts)}
      </>
    )
  if (error) return <FailedState scope="section" message={error.message} onRetry={() => void refetch()} />
  return <Waiting />
}

export function Waiting() {
  const { t } = useTranslation()
  return <Card className={`price-editor-waiting ${Classes.SKELETON}`} role="status" aria-label={t('state.loading')} />
}

import { Button, Classes } from '@blueprintjs/core'
import { useRef } from 'react'
import * as z from 'zod/mini'
import { user as calls } from '../../../shared/api/user.ts'
import { useStored } from '../../api/stored.ts'
import { useCall } from '../../api/use-call.ts'
import { FailedState } from '../../components/blank-state/failed-state.tsx'
import { useCopy } from '../../components/copy-text/use-copy.tsx'
import { focusAfter } from '../../components/focus-after.ts'
import { useTranslation } from '../../translation.ts'
import { PersonalSection } from './personal-section.tsx'

/** The models the account may use; a click copies a name. `isAlone`: the only section in its row. */
export function Models({ isAlone }: { isAlone: boolean }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useCall(calls.models, {}, { quiet: true })
  return (
    <PersonalSection title={t('personal.models')} className={isAlone ? 'personal-alone' : ''}>
      {!data && error && <FailedState message={error.message} onRetry={() => void refetch()} />}
      {!data && !error && <div className={`personal-models-waiting ${Classes.SKELETON}`} />}
      {data && <ModelTags models={data} />}
    </PersonalSection>
  )
}

function ModelTags({ models }: { models: readonly string[] }) {
  const { t } = useTranslation()
  const [isExpanded = false, expand] = useStored('modelsExpanded', flag)
  const list = useRef<HTMLUListElement>(null)
  const { copy, dialog } = useCopy()
  const more = models.length - FOLDED
  if (models.length === 0) return <p className={Classes.TEXT_MUTED}>{t('personal.modelsNone')}</p>
  const shown = isExpanded ? models : models.slice(0, FOLDED)
  // The button does not move; the first new name gets the focus.
  const unfold = () =>
    focusAfter(
      () => expand(true),
      () => list.current?.children[FOLDED]?.querySelector('button'),
    )
  return (
    <>
      <ul ref={list} className="personal-tags" aria-label={t('personal.models')}>
        {shown.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={tagLooks}
              title={t('personal.modelCopy', { name })}
              onClick={() => copy(name)}
            >
              <span className={Classes.FILL}>{name}</span>
            </button>
          </li>
        ))}
      </ul>
      {more > 0 && (
        <Button
          className="personal-fold"
          size="small"
          variant="outlined"
          aria-expanded={isExpanded}
          text={isExpanded ? t('label.collapse') : t('label.moreModels', { n: more })}
          onClick={() => (isExpanded ? expand(false) : unfold())}
        />
      )}
      {dialog}
    </>
  )
}

const FOLDED = 10

const tagLooks = `personal-tag ${Classes.TAG} ${Classes.MINIMAL} ${Classes.INTERACTIVE}`

const flag = z.boolean()

import { Classes } from '@blueprintjs/core'
import { ChevronRight } from '@blueprintjs/icons'
import type { ReactNode } from 'react'
import type { CatalogueComparison } from '../../../../shared/api/catalogue.ts'
import { groupDigits } from '../../../components/count.tsx'
import { useTranslation } from '../../../translation.ts'

/** The rest of a comparison, folded: unchanged, only here, and unreadable models. */
export function OtherModels({ comparison }: { comparison: CatalogueComparison }) {
  const { t } = useTranslation()
  const { same, only_here, unreadable, unreadable_total } = comparison
  return (
    <div className="catalogue-others">
      {same.length > 0 && (
        <Fold title={t('prices.same', { n: groupDigits(same.length) })}>
          <Names names={same} total={same.length} />
        </Fold>
      )}
      {only_here.length > 0 && (
        <Fold title={t('prices.onlyHere', { n: groupDigits(only_here.length) })}>
          <Names names={only_here} total={only_here.length} />
        </Fold>
      )}
      {unreadable.length > 0 && (
        <Fold title={t('prices.unreadable', { n: groupDigits(unreadable_total) })}>
          <ul className="catalogue-unreadable">
            {unreadable.slice(0, MAX_SHOWN).map(({ model, reason }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names that cannot be read may come twice, and nothing moves
              <li key={at}>
                <span className={Classes.MONOSPACE_TEXT}>{model || '—'}</span>{' '}
                <span className={Classes.TEXT_MUTED}>{t(`prices.reason.${reason}`)}</span>
              </li>
            ))}
          </ul>
          <More shown={Math.min(unreadable.length, MAX_SHOWN)} total={unreadable_total} />
        </Fold>
      )}
    </div>
  )
}

const MAX_SHOWN = 200

function Names({ names, total }: { names: readonly string[]; total: number }) {
  return (
    <>
      <p className={`catalogue-names ${Classes.MONOSPACE_TEXT}`}>{names.slice(0, MAX_SHOWN).join(', ')}</p>
      <More shown={Math.min(names.length, MAX_SHOWN)} total={total} />
    </>
  )
}

function More({ shown, total }: { shown: number; total: number }) {
  const { t } = useTranslation()
  return total > shown ? (
    <p className={Classes.TEXT_MUTED}>{t('prices.more', { n: groupDigits(total - shown) })}</p>
  ) : null
}

type FoldProps = Readonly<{ title: string; children: ReactNode }>

const Fold = ({ title, children }: FoldProps) => (
  <details className="catalogue-fold">
    <summary>
      <ChevronRight />
      {title}
    </summary>
    <div>{children}</div>
  </details>
)

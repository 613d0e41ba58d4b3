import { Button, HTMLSelect } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import { type Page, pageSizes } from '../../api/use-page.ts'
import { pageRange } from './page-range.ts'

type PagerProps = Readonly<{ page: Page<unknown> }>

/** Under a list: which rows of how many, the ways back and on, and how many rows a page has. */
export function Pager({ page }: PagerProps) {
  const { t } = useTranslation()
  const { index, size, turnTo, resize, isTurning } = page
  const { from, to, total, isLast } = pageRange(page)
  return (
    <nav className="page-table-pager" aria-label={t('list.pages')}>
      <span className="tabular" aria-live="polite">
        {t('list.range', { from, to, total })}
      </span>
      <HTMLSelect
        aria-label={t('list.size')}
        value={size}
        onChange={(event) => resize(Number(event.currentTarget.value))}
        options={pageSizes.map((value) => ({ value, label: t('list.sizeOf', { n: value }) }))}
      />
      <Button
        icon={<ChevronLeft />}
        aria-label={t('list.previous')}
        disabled={index === 0 || isTurning}
        onClick={() => turnTo(index - 1)}
      />
      <Button
        icon={<ChevronRight />}
        aria-label={t('list.next')}
        disabled={isLast || isTurning}
        onClick={() => turnTo(index + 1)}
      />
    </nav>
  )
}

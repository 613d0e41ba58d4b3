import { Button, HTMLSelect } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { useTranslation } from 'react-i18next'
import { type Page, pageSizes } from '../../api/use-page.ts'

type PagerProps = Readonly<{ page: Omit<Page<unknown>, 'rows'> }>

/** Under a list: which rows of how many, the ways back and on, and how many rows a page has. */
export function Pager({ page: { index, size, total, turnTo, resize, isTurning } }: PagerProps) {
  const { t } = useTranslation()
  const end = Math.min((index + 1) * size, total)
  return (
    <nav className="page-table-pager" aria-label={t('list.pages')}>
      <span className="tabular" aria-live="polite">
        {t('list.range', { from: index * size + 1, to: end, total })}
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
        disabled={end >= total || isTurning}
        onClick={() => turnTo(index + 1)}
      />
    </nav>
  )
}

import { Button, InputGroup } from '@blueprintjs/core'
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons'
import { type FormEvent, useState } from 'react'
import { type Page, pageSizes } from '../../api/use-page.ts'
import { useTranslation } from '../../translation.ts'
import { groupDigits } from '../count.tsx'
import { Select } from '../select.tsx'
import { pageRange } from './page-range.ts'

type PagerProps = Readonly<{
  page: Page<unknown>
  name: string
}>

/** Under a list: the range of rows, previous and next buttons, and the page size. */
export function Pager({ page, name }: PagerProps) {
  const { t } = useTranslation()
  const { index, size, turnTo, resize, isTurning } = page
  const { from, to, total, isLast } = pageRange(page)
  return (
    <nav className="page-table-pager" aria-label={t('list.pages', { name })}>
      <span className="tabular">{t('list.range', { from: groupDigits(from), to: groupDigits(to), total })}</span>
      {!page.hasFixedSize && (
        <Select
          aria-label={t('list.size')}
          value={size}
          onChange={(event) => resize(Number(event.currentTarget.value))}
          options={pageSizes.map((value) => ({ value, label: t('list.sizeOf', { n: value }) }))}
        />
      )}
      <div className="page-table-turn">
        <Button
          icon={<ChevronLeft />}
          aria-label={t('list.previous')}
          disabled={index === 0 || isTurning}
          onClick={() => turnTo(index - 1)}
        />
        {!(isLast && index === 0) && <PageField index={index} turnTo={turnTo} />}
        <Button
          icon={<ChevronRight />}
          aria-label={t('list.next')}
          disabled={isLast || isTurning}
          onClick={() => turnTo(index + 1)}
        />
      </div>
    </nav>
  )
}

/** The page number as an editable field; a number beyond the end shows the last page. */
function PageField({ index, turnTo }: Pick<Page<unknown>, 'index' | 'turnTo'>) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<Readonly<{ of: number; text?: string }>>({ of: index })
  const text = (typed.of === index ? typed.text : undefined) ?? String(index + 1)
  const jump = (event: FormEvent) => {
    event.preventDefault()
    const page = Number(text)
    if (Number.isSafeInteger(page) && page > 0) turnTo(page - 1)
    setTyped({ of: index })
  }
  return (
    <form className="page-table-jump" onSubmit={jump}>
      <InputGroup
        aria-label={t('list.page')}
        title={t('list.pageHint')}
        inputMode="numeric"
        autoComplete="off"
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onValueChange={(value) => setTyped({ of: index, text: value.replace(/\D/g, '').slice(0, 7) })}
      />
    </form>
  )
}

import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { focusFirst } from '../focus-after.ts'
import { BlankState } from './blank-state.tsx'

type NoMatchProps = Readonly<{ icon: ReactNode; title: string; description: string; onClear: () => void }>

/** Shown if no row matches the filters; its button clears them and focuses the filter bar. */
export function NoMatch({ onClear, ...texts }: NoMatchProps) {
  const { t } = useTranslation()
  const clear = () => {
    focusFirst(() => filters().find((element) => element.checkVisibility()))
    onClear()
  }
  return <BlankState {...texts} action={<Button text={t('state.clear')} onClick={clear} />} />
}

/** Focusable elements of the filter bar; on a phone the fields are behind a button. */
const filters = () => [...document.querySelectorAll('main search :is(input, select, button)')]

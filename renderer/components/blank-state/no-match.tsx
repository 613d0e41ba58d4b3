import { Button } from '@blueprintjs/core'
import type { ReactNode } from 'react'
import { useTranslation } from '../../translation.ts'
import { focusFirst } from '../focus-after.ts'
import { BlankState } from './blank-state.tsx'

type NoMatchProps = Readonly<{ icon: ReactNode; title: string; description: string; onClear: () => void }>

/** Nothing in a list fits its filters: what to change, and the way back to all of it, which leads the focus to the filters. */
export function NoMatch({ onClear, ...texts }: NoMatchProps) {
  const { t } = useTranslation()
  const clear = () => {
    focusFirst(() => filters().find((place) => place.checkVisibility()))
    onClear()
  }
  return <BlankState {...texts} action={<Button text={t('state.clear')} onClick={clear} />} />
}

/** What in the line of filters takes the focus; on a phone its fields are put away behind a button. */
const filters = () => [...document.querySelectorAll('main search :is(input, select, button)')]

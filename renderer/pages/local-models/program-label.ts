import type { LocalChannel, LocalFinding } from '../../../shared/api/local-models.ts'
import { localPrograms } from '../../../shared/local-programs.ts'

/** What a program is called; its address where nobody can tell. */
export const programLabel = ({ program, address }: Pick<LocalFinding | LocalChannel, 'program' | 'address'>): string =>
  program === '' ? placeLabel(address) : localPrograms[program].label

/** An address as people enter it. */
export const placeLabel = (address: string): string => address.replace(/^http:\/\//, '')

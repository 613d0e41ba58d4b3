import type { LocalChannel, LocalFinding } from '../../../shared/api/local-models.ts'
import { localPrograms, lookedFor } from '../../../shared/local-programs.ts'

/** What a program is called. */
export const programLabel = ({ program, address }: Pick<LocalFinding | LocalChannel, 'program' | 'address'>): string =>
  program === '' ? placeLabel(address) : localPrograms[program].label

/** Whom an address belongs to, also where nobody answers there: the program that has the port by itself. */
export function findingLabel(finding: LocalFinding): string {
  const { program, state, address } = finding
  if (program !== '' || state === 'other') return programLabel(finding)
  const port = Number(URL.parse(address)?.port)
  const expected = lookedFor.find((name) => localPrograms[name].port === port)
  return expected ? localPrograms[expected].label : placeLabel(address)
}

/** An address as people enter it. */
export const placeLabel = (address: string): string => address.replace(/^http:\/\//, '')

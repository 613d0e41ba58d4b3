import type { LocalChannel, LocalFinding } from '../../../shared/api/local-models.ts'
import { localPrograms, lookedFor } from '../../../shared/local-programs.ts'

export const programLabel = ({ program, address }: Pick<LocalFinding | LocalChannel, 'program' | 'address'>): string =>
  program === '' ? addressLabel(address) : localPrograms[program].label

/**
 * The name of a finding: the program found, else the program that uses the address's port by default, else the address.
 */
export function findingLabel(finding: LocalFinding): string {
  const { program, state, address } = finding
  if (program !== '' || state === 'other') return programLabel(finding)
  const port = Number(URL.parse(address)?.port)
  const expected = lookedFor.find((name) => localPrograms[name].port === port)
  return expected ? localPrograms[expected].label : addressLabel(address)
}

export const addressLabel = (address: string): string => address.replace(/^http:\/\//, '')

import { currentLocale } from '../../i18n.ts'

/** Writes whole numbers of any width with the separators of the language; text holds digits. */
export function useNumbers(): (value: number | string) => string {
  const format = new Intl.NumberFormat(currentLocale())
  return (value) => format.format(BigInt(value))
}

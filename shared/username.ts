import { hasUnseen } from './unseen.ts'

/** Longest name of an account, in characters as people count them. */
export const MAX_USERNAME = 12

/**
 * What is wrong with the name of an account: it is too long, or could pass for a mail address or, by what nobody sees, for another
 * name. Somebody logs in by it, so joiners and selectors are refused as well, which other texts may have.
 */
export function flawOfUsername(name: string): 'setup.user_len' | 'setup.user_chars' | undefined {
  if ([...name].length > MAX_USERNAME) return 'setup.user_len'
  const isPlain = !UNUSUAL.test(name) && !hasUnseen(name) && name.normalize('NFC') === name
  return isPlain ? undefined : 'setup.user_chars'
}

/** Controls, marks without a form, half characters, blanks but the usual one; and `@`, which mail addresses have. */
const UNUSUAL = /[@\p{C}\p{Default_Ignorable_Code_Point}]|(?! )\p{Z}/u

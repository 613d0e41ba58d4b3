import { refuse } from '../base/errors.ts'

/** Longest name of an account, in characters as people count them. */
export const MAX_USERNAME = 12
/** Controls, marks without a form, half characters, blanks but the usual one; and `@`, which mail addresses have. */
const UNSEEN = /[@\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}/u
const PASSWORD = { least: 8, most: 128 }

/**
 * Refuses a username that is too long, or that could pass for a mail address or, by what nobody sees, for another name.
 * Characters count as people count them.
 */
export function checkUsername(username: string): void {
  if ([...username].length > MAX_USERNAME) throw refuse('invalid', 'setup.user_len')
  if (UNSEEN.test(username) || username.normalize('NFC') !== username) throw refuse('invalid', 'setup.user_chars')
}

/** Refuses a password of fewer than 8 or more than 128 characters. */
export function checkPassword(password: string): void {
  const length = [...password].length
  if (length < PASSWORD.least) throw refuse('invalid', 'setup.pw_len')
  if (length > PASSWORD.most) throw refuse('invalid', 'setup.pw_long')
}

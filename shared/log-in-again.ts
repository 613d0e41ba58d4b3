/** The code of a refusal after which the same call is taken from who has logged in again (docs/reference/accounts.md#a-recent-login). */
export const LOG_IN_AGAIN = 'log_in_again'

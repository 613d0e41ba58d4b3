/**
 * The code of a refusal after which the same call succeeds following another login
 * (docs/reference/accounts.md#recent-login).
 */
export const LOG_IN_AGAIN = 'log_in_again'

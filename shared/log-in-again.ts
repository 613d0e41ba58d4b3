/**
 * The code of a refusal that requires another login; the same call succeeds afterwards
 * (docs/reference/accounts.md#recent-login).
 */
export const LOG_IN_AGAIN = 'log_in_again'

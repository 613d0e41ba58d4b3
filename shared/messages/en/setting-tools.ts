/**
 * Messages of the tools that test settings and clear the log: mail, the proxy worker, releases
 * (docs/reference/screens.md#texts).
 */
export const settingTools = {
  'smtp.sender': 'The sender address is not valid. Enter an email address as the sender address or the SMTP account.',
  'smtp.address': 'This mail server address cannot be used',
  'smtp.timeout': 'The mail server did not respond in time',
  'smtp.unreachable': 'Cannot connect to the mail server: {said}',
  'smtp.tls': 'Cannot establish an encrypted connection to the mail server: {said}',
  'smtp.clear':
    'This port of the mail server begins without encryption. Turn off “Use SSL”, and use another port than 465; the connection is then encrypted with STARTTLS if the server offers it.',
  'smtp.no_starttls':
    'The mail server offers no encryption (STARTTLS) on this port, so the credential was not sent to it. Use a port that does, or turn on “Use SSL” with the port for SSL. Response of the server: {said}',
  'smtp.login': 'The mail server rejected the account or credential: {said}',
  'smtp.refused': 'The mail server rejected the email: {said}',
  'mail.test_subject': '{site}: test email',
  'mail.test_body': 'This is a test email from {site}.\n\nThe mail settings work. Console: {link}',
  'worker.none': 'Enter and save the worker address first',
  'worker.status': 'The worker responded with status {status}. Check its address and key.',
  'worker.timeout': 'The worker did not respond within {seconds} seconds',
  'worker.unreachable': 'Cannot fetch through the worker: {said}',
  'update.none': 'Enter and save the release address first',
  'log.cleanup_running': 'A log cleanup is already running',
}

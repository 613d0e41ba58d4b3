/** Texts of the page that a guest key opens, in English. */
export const guest = {
  'guest.title': 'Guest key',
  'guest.intro': 'Someone has given you access to their AI gateway. Enter these values in your program.',
  'guest.address': 'Address',
  'guest.key': 'Key',
  'guest.copyAddress': 'Copy address',
  'guest.copyKey': 'Copy key',
  'guest.once': 'The key was removed from the address of this page. Copy it now: after a reload, scan the code again.',
  'guest.models': 'Models',
  'guest.noModels': 'This key cannot use any model at the moment.',
  'guest.failed':
    'The gateway does not accept this key. It may have expired, been revoked or used up. Ask the person who gave it to you for another one.',
  'guest.unreached': 'The gateway could not be reached. Check that this device is on the same network.',
  'guest.missing': 'No key in this link',
  'guest.missingHint': 'Scan the QR code again, or ask for another link.',
  'guest.openai': 'OpenAI-compatible programs',
  'guest.anthropic': 'Claude Code',
  'guest.copySnippet': 'Copy example: {name}',
}

/** Guest keys, in English (docs/reference/share-people.md). */
export const guest = {
  'token.guest': 'A guest key always has an expiry and a quota limit',
  'token.guest_long': 'A guest key lasts at most {days} days',
  'log.guest_key': 'Guest key “{name}” (ID {id}) was created',
  'log.token_revoked': 'Token “{name}” (ID {id}) was revoked; its running requests were ended',
}

/** Messages about failed calls of the console and about copying, which the first view needs, in English. */
export const failure = {
  'relay.streamBroken': 'The upstream stream ended unexpectedly.',
  'copy.ok': 'Copied: {text}',
  'copy.fail': 'Cannot copy to clipboard, please copy manually',
  'request.fail': 'Request failed',
  'http.429': 'Error: too many requests, try again later!',
  'http.500': 'Error: internal server error, contact the administrator!',
  'http.405': 'This site is for demonstration only, no server!',
  'http.other': 'Error: {message}',
  'status.fail1': 'Unable to connect to server',
  'status.fail2': 'Failed to load status',
}

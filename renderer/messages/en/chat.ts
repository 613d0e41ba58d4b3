export const chat = {
  'chat.ask': 'Send your key to this chat?',
  'chat.place': 'Goes to',
  'chat.token': 'API token',
  'chat.askText':
    'The key of this token and the address of the gateway are sent there. The operator of that site can send requests with the key at your cost.',
  'chat.allow': 'Send key to {place}',
  'chat.leading': 'Redirecting…',
  'chat.facts': '{place} · token {token}',
  'chat.outside': 'Open in a new window',
  'chat.outsideSite': 'This chat opens in a window of your browser.',
  'chat.outsideProgram': 'This chat is a separate program. It opens if it is installed on this device.',
  'chat.open': 'Open {name} again',
}

/** What seed 1 asks of the whole service. */
export const BROKER_REQUIREMENTS = [
  { id: 'S1-3', text: 'A skill differs from a tool in its result alone: it carries a file.' },
  { id: 'S1-6', text: 'A built-in opens no socket, reads no file and starts no process in a call.' },
  { id: 'S1-7', text: 'The description of make_plan says when not to call it.' },
  { id: 'S1-16', text: 'An operator sees everything that can be named, in groups.' },
  { id: 'S1-34', text: 'Only what is named is there: the repository is no part of local.' },
];

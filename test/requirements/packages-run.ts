/** What seed 2, part B asks of running package commands. Numbers behind a section are the items of that section. */
export const PACKAGES_RUN_REQUIREMENTS = [
  { id: 'S2-17', text: 'A call is exactly three arguments: launcher, command, JSON.' },
  { id: 'S2-22', text: 'A result is stdout, stderr and an exit code.' },
  { id: 'S2-32.14', text: 'A command is run through the sandbox.' },
  { id: 'S2-32.15', text: 'A result is formatted from stdout, stderr and the exit code.' },
  { id: 'S2.2.1-2', text: 'A success has no stderr: progress is not for a model.' },
  {
    id: 'S2.2.2-1',
    text: 'The package is read-only; the working directory and temporary files are writable.',
  },
  { id: 'S2.2.2-2', text: 'stdin is /dev/null; a total and an idle limit; partial output is kept.' },
  {
    id: 'S2.3-6',
    text: 'The launcher is spawned without a shell, in its own group and private directory, which is always removed.',
  },
  { id: 'S2.3-7', text: 'One argument holds at most 131,071 bytes; more is refused before anything starts.' },
  { id: 'S2.3-8', text: 'The environment is built from nothing, plus what the operator grants.' },
  { id: 'S2.3-9', text: 'Exit codes and signals map to one table; nothing is retried by the broker.' },
  { id: 'S2.3-10', text: 'Output is bounded while it is read, then cut to head and tail for the model.' },
  {
    id: 'S2.3-11',
    text: 'Files come back as one artifact: regular files inside the working directory only.',
  },
  { id: 'S2.3-12', text: 'Files of the request lie in the working directory under safe names.' },
  { id: 'S2.3-18.1', text: 'A grandchild is killed.' },
  { id: 'S2.3-18.2', text: 'A client that leaves ends its command.' },
  { id: 'S2.3-18.3', text: 'A file that leads out through a link is refused.' },
] as const;

import { Type } from 'typebox';

import { DELIMITERS } from './read-csv.ts';

/** The arguments that both commands take. */
export const CSV_PARAMS = {
  csv: Type.String({
    minLength: 1,
    maxLength: 500,
    description:
      'The CSV file: the name under which it was sent in `files`. Its first line names the columns.',
  }),
  delimiter: Type.Optional(
    Type.Enum(DELIMITERS, { description: 'What stands between the cells. Default: a comma.' }),
  ),
};

export const CSV_ERRORS = [
  {
    code: 'EXIT_1',
    description: 'The file is no well-formed CSV.',
    resolution: 'Mend the line that the message names, then send the file again.',
  },
  {
    code: 'EXIT_2',
    description: 'The file or a column is not there, or another delimiter is needed.',
    resolution: 'Use one of the names that the message lists, or the delimiter that it proposes.',
  },
];

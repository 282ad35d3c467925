import { dispatch } from 'tool-package-sdk';

import { dataFetch } from './data-fetch.ts';

await dispatch([dataFetch]);

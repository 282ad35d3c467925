import { dispatch } from 'tool-package-sdk';

import { plot } from './plot.ts';
import { summarise } from './summarise.ts';

await dispatch([summarise, plot]);

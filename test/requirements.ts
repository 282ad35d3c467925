import { PACKAGES_BUILD_REQUIREMENTS } from './requirements/packages-build.ts';
import { typesetRequirements } from './requirements/typeset.ts';

/** One line of the brief: `S` and the seed's number, then the number of the line in it. */
export interface Requirement {
  readonly id: string;
  readonly text: string;
}

/** Every line of the brief that is met; each id is cited in the title of a test that proves it. */
export const requirements: readonly Requirement[] = [...typesetRequirements, ...PACKAGES_BUILD_REQUIREMENTS];

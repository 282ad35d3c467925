import { BROKER_REQUIREMENTS } from './requirements/broker.ts';
import { CATALOG_REQUIREMENTS } from './requirements/catalog.ts';
import { DESCRIBE_REQUIREMENTS } from './requirements/describe.ts';
import { HTTP_REQUIREMENTS } from './requirements/http.ts';
import { PACKAGES_BUILD_REQUIREMENTS } from './requirements/packages-build.ts';
import { PACKAGES_RUN_REQUIREMENTS } from './requirements/packages-run.ts';
import { runsRequirements } from './requirements/runs.ts';
import { skillsRequirements } from './requirements/skills.ts';
import { typesetRequirements } from './requirements/typeset.ts';

/** One line of the brief: `S` and the seed's number, then the number of the line in it. */
export interface Requirement {
  readonly id: string;
  readonly text: string;
}

/** Every line of the brief that is met; each id is cited in the title of a test that proves it. */
export const requirements: readonly Requirement[] = [
  ...BROKER_REQUIREMENTS,
  ...CATALOG_REQUIREMENTS,
  ...DESCRIBE_REQUIREMENTS,
  ...HTTP_REQUIREMENTS,
  ...PACKAGES_BUILD_REQUIREMENTS,
  ...PACKAGES_RUN_REQUIREMENTS,
  ...runsRequirements,
  ...skillsRequirements,
  ...typesetRequirements,
];

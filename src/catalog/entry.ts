import type { SchemaFault } from '../core/schema-fault.ts';
import type { JsonObject } from '../core/json.ts';
import type { Tool, ToolLimits, ToolSpec } from '../core/tool.ts';

/** A tool in the registry: frozen, its schema compiled, its limits settled. */
export interface CatalogEntry {
  readonly ref: string;
  readonly spec: ToolSpec;
  readonly thirdParty: boolean;
  /** `sha256:<hex>`. */
  readonly digest: string;
  readonly limits: ToolLimits;
  readonly check: Tool['check'];
  readonly execute: Tool['execute'];
  /** The schema's faults, one per place; empty when the arguments are valid. Never throws. */
  readonly validate: (args: JsonObject) => readonly SchemaFault[];
}

/** Something that was found at boot and is not there, and why. */
export interface Refusal {
  readonly origin: string;
  /** The file or place that is at fault. */
  readonly source: string;
  readonly reason: string;
  /** The ref, where it is known. */
  readonly ref?: string;
}

import type { TSchema } from 'typebox';

import { CatalogSchema, DeadEntrySchema, KnownToolSchema, RefusalSchema } from './admin.ts';
import { UploadedSchema } from './artifact.ts';
import { ErrorSchema } from './error.ts';
import { ExplanationSchema } from './explain.ts';
import { HealthSchema, ReadinessSchema } from './health.ts';
import { ArtifactSchema, DownloadSchema, InvokeAnswerSchema, InvokeSuccessSchema } from './invocation.ts';
import { RunLimitsSchema, RunSchema, RunUsageSchema, StartedRunSchema } from './run.ts';
import { EvaluationSchema } from './score.ts';
import { SkillListSchema, SkillSchema } from './skill.ts';
import { ToolDescriptionSchema, ToolExportSchema, ToolListSchema, ToolSummarySchema } from './tool.ts';

/** The components of the OpenAPI document, each under its `$id`. */
export const SHARED_SCHEMAS: readonly TSchema[] = [
  ErrorSchema,
  ToolSummarySchema,
  ToolDescriptionSchema,
  ToolListSchema,
  ArtifactSchema,
  DownloadSchema,
  InvokeSuccessSchema,
  InvokeAnswerSchema,
  UploadedSchema,
  RunLimitsSchema,
  RunUsageSchema,
  StartedRunSchema,
  RunSchema,
  RefusalSchema,
  DeadEntrySchema,
  KnownToolSchema,
  CatalogSchema,
  ExplanationSchema,
  SkillListSchema,
  SkillSchema,
  EvaluationSchema,
  ToolExportSchema,
  HealthSchema,
  ReadinessSchema,
];

import { annotateTool } from './tools/annotate.ts';
import { explainPaymentTool } from './tools/payment.ts';
import { compareAttributionTool, queryTool } from './tools/query.ts';
import { funnelTool, insightsTool, liveTool, retentionTool } from './tools/reports.ts';
import { describeSchemaTool, listSitesTool } from './tools/sites.ts';
import type { Tool } from './tools/tool.ts';
import { verifyInstallTool } from './tools/verify-install.ts';

/** Every tool, in the order in which assistants see them. */
export const TOOLS: readonly Tool[] = [
  ...[listSitesTool, describeSchemaTool, queryTool, compareAttributionTool, explainPaymentTool],
  ...[funnelTool, retentionTool, insightsTool, liveTool, annotateTool, verifyInstallTool],
];

/** The compliance graph of ontology and rules as nodes and edges, for any graph backend. */
import { createHash } from 'node:crypto';
import type { ArticleEntry, FrameworkEntry } from '../../ontology/index.ts';
import type { Knowledge } from '../../scoring/knowledge.ts';
import { articleNode, ruleNode } from '../../storage/ports/compliance-context.ts';
import type {
  ComplianceDocument,
  ComplianceEdge,
  ComplianceEdgeKind,
  ComplianceNode,
} from '../../storage/ports/graph.ts';

const frameworkNode = (framework: string): string => `framework:${framework}`;
const themeNode = (theme: string): string => `theme:${theme}`;
const playbookNode = (playbook: string): string => `playbook:${playbook}`;

/** The same document for the same knowledge, in one order, so that its digest is that of its content. */
export function complianceDocument({ version, ontology, rules }: Knowledge): ComplianceDocument {
  const nodes: ComplianceNode[] = [];
  const edges = new Map<string, ComplianceEdge>();
  const link = (from: string, kind: ComplianceEdgeKind, to: string, why = ''): void =>
    void edges.set(`${from} ${kind} ${to}`, { from, kind, to, why });

  for (const entry of ontology.frameworks.values())
    nodes.push({ id: frameworkNode(entry.framework), kind: 'framework', properties: frameworkTexts(entry) });
  const themes = new Set<string>();
  for (const article of ontology.articles.values()) {
    const id = articleNode(article.id);
    nodes.push({ id, kind: kindOf(article, ontology.phrasing), properties: articleTexts(article) });
    link(id, 'part_of', frameworkNode(article.framework));
    for (const theme of article.themes) {
      themes.add(theme);
      link(id, 'about', themeNode(theme));
    }
    if (article.parent !== '') link(id, 'pinpoint_of', articleNode(article.parent));
    if (article.successor !== '') link(id, 'succeeded_by', articleNode(article.successor));
    for (const basis of article.consequence_basis) link(id, 'sanctioned_by', articleNode(basis));
  }
  for (const theme of themes) nodes.push({ id: themeNode(theme), kind: 'theme', properties: {} });
  for (const [playbook, steps] of ontology.remediation_playbooks) {
    nodes.push({ id: playbookNode(playbook), kind: 'playbook', properties: { steps } });
    link(themeNode(playbook), 'handled_by', playbookNode(playbook));
  }
  for (const { id: rule, document } of rules) {
    const id = ruleNode(rule);
    const { name, family, violation, cites, playbooks = [] } = document;
    nodes.push({ id, kind: 'rule', properties: { name, family, violation } });
    for (const cite of cites) link(id, 'cites', articleNode(cite.id), cite.why ?? '');
    for (const playbook of playbooks) link(id, 'handled_by', playbookNode(playbook));
  }
  const content = { nodes, edges: [...edges.values()] };
  const digest = createHash('sha256').update(JSON.stringify(content)).digest('hex');
  return { rule_set_version: version, digest, ...content };
}

/** Kinds of frameworks whose articles are controls that somebody operates; threat lists are those that impose no duty. */
const isControl = (kind: string): boolean => /\b(?:control|standard|criteria)\b/.test(kind);

function kindOf({ kind }: ArticleEntry, phrasing: Knowledge['ontology']['phrasing']): ComplianceNode['kind'] {
  if (phrasing.get(kind)?.counts_as_impacted === false) return 'threat';
  return isControl(kind) ? 'control' : 'article';
}

function frameworkTexts({ framework, name, edition, issuer, kind, jurisdiction }: FrameworkEntry) {
  return { framework, name, edition, issuer, kind, jurisdiction };
}

function articleTexts(entry: ArticleEntry) {
  const { framework, article, title, obligation, bound, applies_when, consequence, enforceable_from, source } = entry;
  return { framework, article, title, obligation, bound, applies_when, consequence, enforceable_from, source };
}
